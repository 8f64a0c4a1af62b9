import { expect } from '@playwright/test'
import { addAuthenticator } from '../kit/authenticator.ts'
import { skipWithout } from '../kit/consent.ts'
import { enterPassword, goToLogin, heading, setUpAuthenticatorApp } from '../kit/screen.ts'
import { createAccount, newUser, signIn } from '../kit/users.ts'
import { open, type Stage, type State, signInNewUser } from './stage.ts'

export const accountStates: readonly State[] = [
  { name: 'account, profile', show: profile },
  { name: 'account, profile, no name typed', show: namedEmpty },
  { name: 'account, pending email', show: pendingEmail },
  { name: 'account, security', show: security },
  { name: 'account, new password', show: newPassword },
  { name: 'account, passkeys', show: passkeys },
  { name: 'account, renaming a passkey', show: renamingPasskey },
  { name: 'account, removing a passkey', show: removingPasskey },
  { name: 'account, authenticator app', show: authenticatorApp },
  { name: 'account, authenticator app, wrong code', show: authenticatorWrong },
  { name: 'account, backup codes', show: backupCodes },
  { name: 'account, connections', show: connections },
  { name: 'account, devices', show: devices },
  { name: 'account, signing a device out', show: signingOut },
  { name: 'account, activity', show: activity },
  { name: 'account, data', show: data },
  { name: 'account, deletion', show: deletion },
  { name: 'account, deletion scheduled', show: deletionScheduled },
  { name: 'dashboard, passkey offer', show: passkeyOffer },
  { name: 'login, second factor', show: secondFactor },
  { name: 'login, backup code', show: backupCode },
]

async function page(stage: Stage, path: string, heading: string): Promise<void> {
  await signInNewUser(stage)
  await open(stage.page, path, heading)
}

async function profile(stage: Stage): Promise<void> {
  await page(stage, '/settings', 'Profile')
}

async function namedEmpty(stage: Stage): Promise<void> {
  await profile(stage)
  await stage.page.getByRole('button', { name: 'Add Name' }).click()
  await expect(stage.page.getByRole('textbox', { name: 'Name' })).toBeFocused()
}

async function pendingEmail(stage: Stage): Promise<void> {
  await profile(stage)
  await stage.page.getByRole('button', { name: 'Change email' }).click()
  await stage.page.getByLabel('New email').fill(newUser().email)
  await stage.page.getByRole('button', { name: 'Send me a code' }).click()
  await expect(heading(stage.page)).toHaveText('Verify your email')
  await open(stage.page, '/settings', 'Profile')
  await expect(stage.page.getByText('Change pending')).toBeVisible()
}

async function security(stage: Stage): Promise<void> {
  await page(stage, '/settings/security', 'Security')
  await expect(stage.page.getByRole('button', { name: 'Change password' })).toBeVisible()
}

async function newPassword(stage: Stage): Promise<void> {
  await security(stage)
  await stage.page.getByRole('button', { name: 'Change password' }).click()
  await stage.page.getByRole('textbox', { name: 'New password' }).fill('quiet')
  await stage.page.getByRole('button', { name: 'Save password' }).click()
  await expect(stage.page.getByText('Password must be at least 6 characters.')).toBeVisible()
}

async function passkeys(stage: Stage): Promise<void> {
  await addAuthenticator(stage.page)
  await security(stage)
  await stage.page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(stage.page.getByText('Your passkey is added.')).toBeVisible()
}

async function renamingPasskey(stage: Stage): Promise<void> {
  await passkeys(stage)
  await stage.page.getByRole('button', { name: /^Rename/ }).click()
  await expect(stage.page.getByLabel('Name of this passkey')).toBeVisible()
}

async function removingPasskey(stage: Stage): Promise<void> {
  await passkeys(stage)
  await stage.page.getByRole('button', { name: /^Remove Passkey/ }).click()
  await expect(stage.page.getByRole('button', { name: 'Remove passkey' })).toBeVisible()
}

async function authenticatorApp(stage: Stage): Promise<void> {
  await security(stage)
  await stage.page.getByRole('button', { name: 'Set up' }).click()
  await expect(stage.page.getByRole('img', { name: 'QR code' })).toBeVisible()
}

async function authenticatorWrong(stage: Stage): Promise<void> {
  await authenticatorApp(stage)
  await stage.page.getByRole('textbox', { name: 'Code' }).fill('12')
  await stage.page.getByRole('button', { name: 'Turn on' }).click()
  await expect(stage.page.getByText('Enter the six digits')).toHaveCount(2)
}

async function backupCodes(stage: Stage): Promise<void> {
  await security(stage)
  await setUpAuthenticatorApp(stage.page)
  await expect(stage.page.getByRole('button', { name: 'I’ve saved these codes' })).toBeVisible()
}

async function connections(stage: Stage): Promise<void> {
  skipWithout('GitHub')
  await page(stage, '/settings/connections', 'Connected accounts')
  await expect(stage.page.getByRole('button', { name: 'Connect GitHub' })).toBeVisible()
}

async function devices(stage: Stage): Promise<void> {
  await page(stage, '/settings/devices', 'Devices')
  await expect(stage.page.getByText('This device')).toBeVisible()
}

async function signingOut(stage: Stage): Promise<void> {
  const user = newUser()
  await createAccount(stage.product, user)
  const elsewhere = await stage.page.context().browser()?.newContext()
  if (!elsewhere) throw new Error('The page has no browser.')
  await signIn(elsewhere.request, stage.product, user)
  await elsewhere.close()
  await signIn(stage.page.context().request, stage.product, user)
  await open(stage.page, '/settings/devices', 'Devices')
  await stage.page
    .getByRole('listitem')
    .getByRole('button', { name: /^Log out ./ })
    .click()
  await stage.page.getByRole('listitem').getByRole('button', { name: 'Log out' }).click()
  await expect(stage.page.getByText('That device has to log in again.')).toBeVisible()
}

async function activity(stage: Stage): Promise<void> {
  await page(stage, '/settings/activity', 'Activity')
  await expect(stage.page.getByText('Logged in with password')).toBeVisible()
}

async function data(stage: Stage): Promise<void> {
  await page(stage, '/settings/data', 'Your data')
}

async function deletion(stage: Stage): Promise<void> {
  await data(stage)
  await stage.page.getByRole('button', { name: 'Delete account' }).click()
  await expect(stage.page.getByRole('button', { name: 'Delete my account' })).toBeVisible()
}

async function deletionScheduled(stage: Stage): Promise<void> {
  const user = await signInNewUser(stage)
  const { request } = stage.page.context()
  const answer = await request.post(`${stage.product.url}/api/v1/account/deletion`, {
    headers: { Origin: stage.product.url },
  })
  expect(answer.status()).toBe(202)
  await signIn(request, stage.product, user)
  await open(stage.page, '/dashboard', 'Dashboard Page')
  await expect(stage.page.getByText('Keep your account?')).toBeVisible()
}

async function passkeyOffer(stage: Stage): Promise<void> {
  await page(stage, '/dashboard', 'Dashboard Page')
  await expect(stage.page.getByText('Log in faster next time')).toBeVisible()
}

async function secondFactor(stage: Stage): Promise<void> {
  const user = newUser()
  await createAccount(stage.product, user)
  const { request } = stage.page.context()
  await signIn(request, stage.product, user)
  await open(stage.page, '/settings/security', 'Security')
  await setUpAuthenticatorApp(stage.page)
  await stage.page.getByRole('button', { name: 'I’ve saved these codes' }).click()
  await expect(stage.page.getByText('Your backup codes are ready.')).toBeVisible()
  await stage.page.getByRole('button', { name: 'Logout' }).click()
  await expect(stage.page).toHaveURL('/')
  await goToLogin(stage.page)
  await enterPassword(stage.page, user)
  await expect(stage.page.getByRole('button', { name: /Use a backup code/ })).toBeVisible()
}

async function backupCode(stage: Stage): Promise<void> {
  await secondFactor(stage)
  await stage.page.getByRole('button', { name: /Use a backup code/ }).click()
  await expect(stage.page.getByLabel('Backup code')).toBeVisible()
}
