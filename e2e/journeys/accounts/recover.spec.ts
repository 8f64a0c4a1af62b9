import type { Page } from '@playwright/test'
import { addAuthenticator } from '../../kit/authenticator.ts'
import { expect, test } from '../../kit/fixtures.ts'
import { heading, signOut } from '../../kit/screen.ts'
import { signIn } from '../../kit/users.ts'

const code = (page: Page) => page.getByRole('textbox', { name: 'Code' })
const newPassword = (page: Page) => page.getByRole('textbox', { name: 'New password' })

async function askForCode(page: Page, email: string): Promise<void> {
  await page.goto('/recovery')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await expect(code(page)).toBeVisible()
}

test('"Forgot password?" leads to a code, a new password and the dashboard, and signs out other devices', async ({
  page,
  product,
  account,
  inbox,
  otherBrowser,
}) => {
  await signIn(otherBrowser.request, product, account)
  await page.goto('/login')
  await page.getByLabel('Email').fill(account.email)
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page.getByLabel('Email')).toHaveValue(account.email)
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await code(page).fill(await inbox.code(account.email))
  await expect(heading(page)).toHaveText('Choose a new password')
  await expect(page).toHaveURL(/\/recovery\?/)
  expect((await otherBrowser.request.get('/.ory/sessions/whoami')).status()).toBe(401)
  await newPassword(page).fill('four rather quiet words')
  await page.getByRole('button', { name: 'Set new password' }).click()
  await expect(page.getByText('Your new password is set')).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
})

test('a passkey can be added instead of a new password', async ({ page, account, inbox }) => {
  const device = await addAuthenticator(page)
  await page.goto('/settings/devices')
  await page.getByLabel('Email').fill(account.email)
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await code(page).fill(await inbox.code(account.email))
  await device.setVerified(false)
  await page.getByRole('button', { name: 'Add a passkey instead' }).click()
  await expect(page.getByText('No passkey was added.')).toBeVisible()
  await device.setVerified(true)
  await page.getByRole('button', { name: 'Add a passkey instead' }).click()
  await expect(page.getByText('Welcome back. Your passkey is added')).toBeVisible()
  await expect(page).toHaveURL('/settings/devices')
  expect(await device.count()).toBe(1)

  await signOut(page)
  await askForCode(page, account.email)
  await code(page).fill(await inbox.code(account.email))
  await page.getByRole('button', { name: 'Add a passkey instead' }).click()
  await expect(page.getByText('This device already has a passkey for your account.')).toBeVisible()
  expect(await device.count()).toBe(1)
})

test('a reload keeps the code and the new password', async ({ page, account, inbox }) => {
  await askForCode(page, account.email)
  await page.reload()
  await expect(page.getByText(account.email)).toBeVisible()
  await code(page).fill(await inbox.code(account.email))
  await expect(heading(page)).toHaveText('Choose a new password')
  const opened: string[] = []
  page.on('request', (request) => opened.push(new URL(request.url()).pathname))
  await page.reload()
  await newPassword(page).fill('four rather quiet words')
  expect(opened.filter((path) => path.includes('/recovery/'))).toEqual([])
  await page.getByRole('button', { name: 'Set new password' }).click()
  await expect(page).toHaveURL('/dashboard')
})

test('a new password is required first', async ({ page, account, inbox }) => {
  await askForCode(page, account.email)
  await code(page).fill(await inbox.code(account.email))
  await expect(heading(page)).toHaveText('Choose a new password')
  for (const path of ['/dashboard', '/settings/devices', '/login']) {
    await page.goto(path)
    await expect(heading(page)).toHaveText('Choose a new password')
  }
  expect((await page.request.get('/api/v1/account/devices')).status()).toBe(403)
  await page.goto('/settings/security')
  await newPassword(page).fill('four rather quiet words')
  await page.getByRole('button', { name: 'Set new password' }).click()
  await expect(page).toHaveURL('/settings/security')
  await expect(heading(page)).toHaveText('Security')
  expect((await page.request.get('/api/v1/account/devices')).status()).toBe(200)
})
