import type { Page } from '@playwright/test'
import { addAuthenticator } from '../../kit/authenticator.ts'
import { consent, goToProvider } from '../../kit/consent.ts'
import { expect, test } from '../../kit/fixtures.ts'
import { heading } from '../../kit/screen.ts'

test('a user registers and signs in with a passkey', async ({ page, inbox, user }) => {
  const { device, signUp, email } = await openSignUp(page)

  await signUp.click()
  await expect(page.getByText('Please enter a valid email address.')).toBeVisible()
  await expect(email).toBeFocused()
  expect(await device.count()).toBe(0)

  await email.fill(user.email)
  await device.setVerified(false)
  await signUp.click()
  await expect(page.getByText('No passkey was created. Try again, or sign up another way.')).toBeVisible()
  await expect(email).toHaveValue(user.email)

  await device.setVerified(true)
  await signUp.click()
  await page.getByLabel('Code').fill(await inbox.code(user.email))
  await expect(heading(page)).toHaveText('Email Verified!')
  expect(await device.count()).toBe(1)

  await page.getByRole('link', { name: 'Go to Login' }).click()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(heading(page)).toHaveText('Dashboard Page')

  await page.goto('/settings/security')
  await expect(page.getByText('You don’t have a password: you log in another way.')).toBeVisible()
})

test('a passkey proves the owner before GitHub is linked', async ({ page, inbox, user }) => {
  const { signUp, email } = await openSignUp(page)
  await email.fill(user.email)
  await signUp.click()
  await page.getByLabel('Code').fill(await inbox.code(user.email))
  await expect(heading(page)).toHaveText('Email Verified!')

  await goToProvider(page, 'GitHub')
  await consent(page, { user: 'taken', email: user.email })
  await expect(heading(page)).toHaveText('You already have an account')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/settings/connections')
  await expect(page.getByRole('button', { name: 'Disconnect GitHub' })).toBeVisible()
})

async function openSignUp(page: Page) {
  const device = await addAuthenticator(page)
  // Autofill would use the passkey before the button.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
  await page.goto('/register')
  const signUp = page.getByRole('button', { name: 'Sign up with a passkey' })
  return { device, signUp, email: page.getByLabel('Email') }
}
