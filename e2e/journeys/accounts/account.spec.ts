import type { Page } from '@playwright/test'
import { exportFile } from '../../../app.config.ts'
import { lengthen } from '../../kit/accessibility.ts'
import { addAuthenticator, oneTimePassword } from '../../kit/authenticator.ts'
import { endDeletions, endPrivilege } from '../../kit/database.ts'
import { expect, test } from '../../kit/fixtures.ts'
import { inboxOf } from '../../kit/inbox.ts'
import { alert, enterPassword, goToLogin, heading, setUpAuthenticatorApp, signOut } from '../../kit/screen.ts'
import { createAccount, newUser, signIn } from '../../kit/users.ts'

test('a phone shows each tab of the account whole, also with long words', async ({ page, signedIn: _ }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/settings')
  const tabs = page.getByRole('navigation', { name: 'Account', exact: true }).getByRole('link')
  await expect(tabs).toHaveCount(6)
  for (const change of [async () => {}, lengthen]) {
    await change(page)
    for (const width of [390, 360, 320]) {
      await page.setViewportSize({ width, height: 844 })
      for (const tab of await tabs.all()) await expect(tab).toBeInViewport({ ratio: 1 })
    }
  }
})

test('a passkey is added, named, used and removed', async ({ page, signedIn: _ }) => {
  const device = await addAuthenticator(page)
  await page.goto('/settings/security')
  // Closing the device's dialog is not an error.
  await device.setVerified(false)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByText('No passkey was added.')).toBeVisible()
  await expect(alert(page)).toHaveCount(0)
  await device.setVerified(true)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(page.getByText('Your passkey is added.')).toBeVisible()
  expect(await device.count()).toBe(1)
  await page.getByRole('button', { name: /^Rename Passkey in Chrome on / }).click()
  await page.getByLabel('Name of this passkey').fill('Work laptop')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect(page.getByText('Renamed to “Work laptop”.')).toBeVisible()
  await signOut(page)

  // Autofill would sign in before the button.
  await page.addInitScript(() => {
    if (location.search === '?button') PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
  const { promise: pressed, resolve: press } = Promise.withResolvers<void>()
  await page.route('**/self-service/login/browser*', async (route) => {
    await pressed
    await route.continue()
  })
  await page.goto('/login?button')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  // A click before the response is not lost.
  press()
  await expect(page).toHaveURL('/dashboard')
  await signOut(page)
  await page.goto('/login')
  await expect(page).toHaveURL('/dashboard')

  await page.goto('/settings/security')
  await expect(page.getByText(/Used/)).toBeVisible()
  await page.getByRole('button', { name: 'Remove Work laptop' }).click()
  await expect(page.getByText('Your device may keep offering it')).toBeVisible()
  await page.getByRole('button', { name: 'Remove passkey' }).click()
  await expect(page.getByText('“Work laptop” is removed.')).toBeVisible()
  await expect(page.getByText('Log in with your fingerprint, face or screen lock')).toBeVisible()
})

test('an authenticator app is required at the next sign-in', async ({ page, signedIn }) => {
  const user = { ...signedIn, password: 'five other quiet words here' }
  await page.goto('/settings/security')
  const key = await setUpAuthenticatorApp(page)
  await expect(page.getByRole('button', { name: 'I’ve saved these codes' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Backup codes' }).getByRole('listitem')).toHaveCount(12)
  const codes = await page
    .getByRole('region', { name: 'Backup codes' })
    .getByRole('listitem')
    .allTextContents()
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByRole('textbox', { name: 'New password' }).fill(user.password)
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByText(/^Your new password is set/)).toBeVisible()
  await expect(page.getByText('Not saved yet')).toBeVisible()
  // Downloaded codes work even if the user leaves without a further word.
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  await download
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await expect(page.getByText(codes[0] ?? '')).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('12 left')).toBeVisible()
  await signOut(page)

  await goToLogin(page)
  await enterPassword(page, user)
  await page.getByRole('button', { name: 'Log in with another account' }).click()
  await expect(heading(page)).toHaveText('Login')
  await expect(heading(page)).toBeFocused()
  await enterPassword(page, user)
  await expect(heading(page)).toHaveText('Two-step login')
  await page.goto('/dashboard')
  await expect(heading(page)).toHaveText('Two-step login')
  await page.reload()
  await expect(heading(page)).toHaveText('Two-step login')
  await page.getByLabel('Code').fill('000000')
  await expect(page.getByText('That code is incorrect. Check the time on your device')).toBeVisible()
  await expect(page.getByLabel('Code')).toHaveAttribute('aria-invalid', 'true')
  // The sixth digit submits.
  await page.getByLabel('Code').fill(oneTimePassword(key, 1))
  await expect(page).toHaveURL('/dashboard')
  await signOut(page)

  await goToLogin(page)
  await enterPassword(page, user)
  await page.getByText('Lost your phone and your backup codes?').click()
  await expect(page.getByText(/A new password doesn’t turn this step off/)).toBeVisible()
  await page.getByRole('button', { name: 'Use a backup code' }).click()
  await page.getByLabel('Backup code').fill(codes[0] ?? '')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/settings/security')
  await expect(page.getByText('11 left')).toBeVisible()
  // Backup codes alone would lock the user out.
  await page.getByRole('button', { name: /^Remove the authenticator app/ }).click()
  await expect(page.getByText('Your backup codes are removed too.')).toBeVisible()
  await page.getByRole('button', { name: 'Remove app' }).click()
  await expect(page.getByText('Your authenticator app and your backup codes are removed.')).toBeVisible()
  await expect(page.getByText('Set up an authenticator app first')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Make codes' })).toHaveCount(0)
  await signOut(page)

  await goToLogin(page)
  await enterPassword(page, user)
  await expect(page).toHaveURL('/dashboard')
})

test('the download of all data requires re-authentication', async ({ page, product, signedIn }) => {
  await endPrivilege(page, product)
  await page.goto('/settings/data')
  await page.getByRole('button', { name: 'Download JSON' }).click()
  const [download] = await Promise.all([page.waitForEvent('download'), confirmPassword(page, signedIn)])
  expect(download.suggestedFilename()).toBe(exportFile)
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  expect(Buffer.concat(chunks).toString()).toContain(signedIn.email)
})

test('SEC-74: a user deletes the account and can keep it after signing in', async ({
  page,
  product,
  signedIn,
  inbox,
}) => {
  await endPrivilege(page, product)
  await page.goto('/settings/data')
  await page.getByRole('button', { name: 'Delete account' }).click()
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await confirmPassword(page, signedIn)
  await expect(page).toHaveURL('/login')
  await expect(page.getByText(/Your account will be deleted on/)).toBeVisible()
  await expect(heading(page)).toBeFocused()
  expect((await inbox.newest(signedIn.email)).subject).toMatch(/will be deleted on/)
  await enterPassword(page, signedIn)
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('button', { name: 'Keep my account' })).toBeVisible()
  await expect(heading(page)).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Keep my account' })).toBeFocused()
  await page.getByRole('button', { name: 'Delete it as planned' }).click()
  await expect(page.getByText(/Your account will be deleted on/)).toBeVisible()
  await enterPassword(page, signedIn)
  await page.getByRole('button', { name: 'Keep my account' }).click()
  await expect(page.getByText(/^Your account stays\./)).toBeVisible()
  expect((await inbox.newest(signedIn.email)).subject).toMatch(/account stays$/)
  await page.goto('/settings/activity')
  await expect(page.getByText('Account deletion cancelled')).toBeVisible()
  await expect(page.getByText('Logged in with a password').first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'log out other devices' })).toBeVisible()
  await expect(page.getByText('Keep your account?')).toHaveCount(0)
})

async function confirmPassword(page: Page, { password }: { readonly password: string }): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await dialog.getByRole('textbox', { name: 'Password' }).fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
}

test('a link to the sign-in page cannot announce a deletion', async ({ page }) => {
  await page.goto('/login?deletes=2031-03-14T09%3A00%3A00.000Z')
  await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeEnabled()
  await expect(page.getByText(/will be deleted/)).toHaveCount(0)
})

test('the account is deleted after 14 days with an email', async ({ page, start }) => {
  const product = await start()
  const owner = newUser()
  await createAccount(product, owner)
  await signIn(page.request, product, owner)
  await page.goto(`${product.url}/settings/data`)
  await page.getByRole('button', { name: 'Delete account' }).click()
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page.getByText(/Your account will be deleted on/)).toBeVisible()
  await page.goto('about:blank')
  endDeletions(product)
  // At start and once a minute.
  await product.pause()
  await product.resume()
  const inbox = inboxOf(product)
  await expect.poll(async () => (await inbox.newest(owner.email)).subject).toMatch(/has been deleted/)
  await page.goto(`${product.url}/login`)
  await enterPassword(page, owner)
  await expect(alert(page)).toBeVisible()
  await createAccount(product, owner)
})

test('the theme applies before the first paint and persists', async ({ page, signedIn: _ }) => {
  await page.goto('/settings')
  await page.getByText('Dark', { exact: true }).click()
  const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
  expect(await scheme()).toBe('dark')
  // Without the app's scripts.
  await page.route('**/assets/*.js', () => {})
  await page.goto('/about', { waitUntil: 'commit' })
  await expect(heading(page)).toBeVisible()
  expect(await scheme()).toBe('dark')
})

test('a new email takes effect with its code', async ({ page, signedIn, inbox }) => {
  const next = `new-${signedIn.email}`
  await askForEmail(page, next)
  await page.goto('/settings')
  await expect(page.getByText('Change pending')).toBeVisible()
  await page.getByRole('button', { name: 'Send a new code' }).click()
  await expect(heading(page)).toHaveText('Verify your email')
  await page.getByLabel('Code').fill(await inbox.code(next))
  await expect(heading(page)).toHaveText('Email changed')
  await page.getByRole('link', { name: 'Back to your profile' }).click()
  await expect(page.getByText(next, { exact: true })).toBeVisible()
})

test('the code of a new email can be entered where the change was asked for', async ({
  page,
  signedIn,
  inbox,
}) => {
  const next = `new-${signedIn.email}`
  await askForEmail(page, next)
  const code = await inbox.code(next)
  await page.goto('/settings')
  await page.getByLabel('Code').fill(code === '111111' ? '222222' : '111111')
  await expect(page.getByText(/code/i).filter({ hasText: /wrong|not right|invalid|check/i })).toBeVisible()
  await page.getByLabel('Code').fill(code)
  await expect(page.getByText('Your email is changed.')).toBeVisible()
  await expect(page.getByText('Change pending')).toBeHidden()
  await expect(page.getByText(next, { exact: true })).toBeVisible()
})

async function askForEmail(page: Page, next: string): Promise<void> {
  await page.goto('/settings')
  await page.getByRole('button', { name: 'Change email' }).click()
  await page.getByLabel('New email').fill(next)
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await expect(heading(page)).toHaveText('Verify your email')
}
