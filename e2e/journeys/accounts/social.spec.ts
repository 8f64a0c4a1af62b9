import { few } from '@ostiary/identity/testing/input/sample'
import type { Page } from '@playwright/test'
import { name as productName } from '../../../app.config.ts'
import { chooseProvider, consent, goToProvider, skipWithout } from '../../kit/consent.ts'
import { endPrivilege } from '../../kit/database.ts'
import { expect, test } from '../../kit/fixtures.ts'
import { alert, enterPassword, fillIn, goToLogin, heading, password, signOut } from '../../kit/screen.ts'
import { newUser } from '../../kit/users.ts'

async function ownEmail(page: Page): Promise<string> {
  const name = await page.getByRole('button', { name: /^Account menu, / }).getAttribute('aria-label')
  return (name ?? '').replace('Account menu, ', '')
}

test('settings connect and disconnect a provider, but keep the last method', async ({ page, signedIn }) => {
  skipWithout('GitHub')
  await page.goto('/settings/connections')
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'GitHub' })
  await page.getByRole('button', { name: 'Connect GitHub' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(row.getByText('You cancelled connecting this account.')).toBeVisible()
  await expect(heading(page)).toBeFocused()
  await page.getByRole('button', { name: 'Connect GitHub' }).click()
  await expect(page).toHaveURL(/\/demo\/consent/)
  await consent(page)
  await expect(page).toHaveURL(/\/settings/)
  await expect(page.getByText('Your accounts are connected.')).toBeVisible()
  await expect(row).toContainText('@')
  expect(await ownEmail(page)).toBe(signedIn.email)
  await page.getByRole('button', { name: 'Disconnect GitHub' }).click()
  await page.getByRole('button', { name: 'Disconnect', exact: true }).click()
  await expect(page.getByText('GitHub disconnected.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Connect GitHub' })).toBeVisible()
  await signOut(page)
  await goToLogin(page)
  await chooseProvider(page, 'Google')
  await consent(page)
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/settings/connections')
  await expect(page.getByText('Your only login method.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Disconnect Google' })).toHaveCount(0)
})

test('a user with GitHub only re-authenticates there', async ({ page, product }) => {
  await goToProvider(page, 'GitHub')
  await consent(page)
  await expect(page).toHaveURL('/dashboard')
  await expect(heading(page)).toBeFocused()
  const email = await ownEmail(page)
  await endPrivilege(page, product)
  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Set a password' }).click()
  await page.getByRole('textbox', { name: 'New password' }).fill('four rather quiet words')
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByRole('dialog')).toContainText(email)
  await page.getByRole('button', { name: 'Continue with GitHub' }).click()
  await expect(heading(page)).toHaveText('Confirm it’s you')
  await page.getByRole('button', { name: 'Continue with GitHub' }).click()
  await consent(page, { user: { name: email.replace(/@.*/, '') } })
  await expect(page).toHaveURL(/\/settings/)
  await expect(page.getByText('Your changes are saved.')).toBeVisible()
})

test('a user with GitHub only connects Google through GitHub', async ({ page }) => {
  await goToProvider(page, 'GitHub')
  await consent(page)
  await expect(page).toHaveURL('/dashboard')
  const email = await ownEmail(page)
  await signOut(page)
  await goToLogin(page)
  await chooseProvider(page, 'Google')
  await consent(page, { user: 'taken', email })
  await expect(heading(page)).toHaveText('You already have an account')
  await expect(password(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Continue with GitHub' }).click()
  await consent(page, { user: { name: email.replace(/@.*/, '') } })
  await expect(page).toHaveURL('/dashboard')
  expect(await ownEmail(page)).toBe(email)
  await page.goto('/settings/connections')
  await expect(page.getByRole('button', { name: 'Disconnect Google' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Disconnect GitHub' })).toBeVisible()
})

test('a repeated response signs no user in', async ({ page }) => {
  let callback = ''
  page.on('request', (request) => {
    if (request.url().includes('/oidc/callback/')) callback = request.url()
  })
  await goToProvider(page, 'GitHub')
  await consent(page)
  await expect(page).toHaveURL('/dashboard')
  await signOut(page)
  await page.goto(callback)
  await expect(page).toHaveURL(/\/error\?id=/)
  await expect(alert(page)).toContainText('Please start again')
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect(page).toHaveURL('/login')
})

test('an expired attempt shows a link back', async ({ page }) => {
  await page.goto('/demo/consent?provider=github&attempt=unknown')
  await page.getByRole('link', { name: 'Go to Login' }).click()
  await expect(page).toHaveURL('/login')
})

for (const provider of few('providers', ['GitHub', 'Google'] as const, 1)) {
  test(`${provider}: a new user is signed in and gets the same account next time`, async ({ page }) => {
    await goToProvider(page, provider)
    await expect(heading(page)).toHaveText(`${provider} (demo)`)
    await expect(page.getByText(`no real ${provider} account is involved`)).toBeVisible()
    await consent(page)
    await expect(page).toHaveURL('/dashboard')
    const email = await ownEmail(page)
    await signOut(page)
    await goToLogin(page)
    await chooseProvider(page, provider)
    await consent(page, { user: { name: email.replace(/@.*/, '') } })
    await expect(page).toHaveURL('/dashboard')
    expect(await ownEmail(page)).toBe(email)
  })

  test(`${provider}: works from the registration page`, async ({ page }) => {
    await goToProvider(page, provider, '/register')
    await consent(page)
    await expect(page).toHaveURL('/dashboard')
  })

  test(`${provider}: an account at that address is connected by one sign-in`, async ({ page, account }) => {
    await goToProvider(page, provider)
    await consent(page, { user: 'taken', email: account.email })
    await expect(heading(page)).toHaveText('You already have an account')
    await expect(page.getByText(account.email)).toBeVisible()
    await password(page).fill('not the right words')
    await page.getByRole('button', { name: 'Login and connect' }).click()
    await expect(alert(page)).toBeVisible()
    await password(page).fill(account.password)
    await page.getByRole('button', { name: 'Login and connect' }).click()
    await expect(page).toHaveURL('/dashboard')
    expect(await ownEmail(page)).toBe(account.email)
    await page.goto('/settings/connections')
    await expect(page.getByRole('button', { name: `Disconnect ${provider}` })).toBeVisible()
    await signOut(page)
    await goToLogin(page)
    await chooseProvider(page, provider)
    await page.getByRole('radio', { name: account.email }).check()
    await page.getByRole('button', { name: `Continue to ${productName}` }).click()
    await expect(page).toHaveURL('/dashboard')
    expect(await ownEmail(page)).toBe(account.email)
  })
}

test('a user without a public email enters and verifies one', async ({ page, inbox }) => {
  const { email } = newUser()
  await goToProvider(page, 'GitHub')
  await consent(page, { user: 'no_email' })
  await expect(heading(page)).toHaveText('One thing is missing')
  await page.getByRole('button', { name: 'Continue with GitHub' }).click()
  await expect(page.getByText('Please enter a valid email address.')).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Continue with GitHub' }).click()
  await expect(page).toHaveURL(/\/demo\/consent/)
  await page
    .getByRole('radio', { name: /No public email/ })
    .first()
    .check()
  await page.getByRole('button', { name: `Continue to ${productName}` }).click()
  await expect(heading(page)).toHaveText('Verify your email')
  await page.getByLabel('Code').fill(await inbox.code(email))
  await expect(heading(page)).toHaveText('Email Verified!')
})

test('an address that the provider did not verify is verified first', async ({ page }) => {
  await goToProvider(page, 'GitHub')
  await consent(page, { user: 'unverified' })
  await expect(heading(page)).toHaveText('Verify your email')
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/')
})

test('a user who declines can sign in another way', async ({ page, account }) => {
  await goToProvider(page, 'GitHub')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/\/login\?flow=/)
  await expect(page.getByText('You cancelled the login.')).toBeVisible()
  await enterPassword(page, account)
  await expect(page).toHaveURL('/dashboard')
})

test('a user who declines can register with a password', async ({ page }) => {
  const user = newUser()
  await goToProvider(page, 'GitHub', '/register')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/\/register\?flow=/)
  await expect(page.getByText('You cancelled signing up.')).toBeVisible()
  for (const way of ['a passkey', 'GitHub', 'Google'])
    await expect(page.getByRole('button', { name: `Sign up with ${way}` })).toBeEnabled()
  await fillIn(page, user)
  await page.getByRole('button', { name: 'Sign up', exact: true }).click()
  await expect(heading(page)).toHaveText('Verify your email')
})

for (const answer of few(
  'answers',
  ['answers too slowly', 'answers with garbage', 'is revoked at once'],
  1,
)) {
  test(`a provider that ${answer} is reported with a next step`, async ({ page }) => {
    await goToProvider(page, 'GitHub')
    await consent(page, { answer })
    await expect(alert(page)).toContainText('GitHub')
    await page.getByRole('link', { name: 'Try again' }).click()
    await expect(page).toHaveURL('/login')
  })
}
