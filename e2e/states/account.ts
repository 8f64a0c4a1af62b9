import { expect } from '@playwright/test'
import { addAuthenticator } from '../kit/authenticator.ts'
import { skipWithout } from '../kit/consent.ts'
import { enterPassword, goToLogin, heading, setUpAuthenticatorApp } from '../kit/screen.ts'
import { createAccount, newUser, signIn } from '../kit/users.ts'
import {
  button,
  label,
  open,
  type Stage,
  type State,
  shows,
  signedInAt,
  signInNewUser,
  text,
} from './stage.ts'

const profile = signedInAt('/settings', 'Profile')
const security = signedInAt('/settings/security', 'Security')
const data = signedInAt('/settings/data', 'Your data')

export const accountStates: readonly State[] = [
  shows('account, profile', profile),
  shows('account, profile, no name typed', namedEmpty),
  shows('account, pending email', pendingEmail, { sees: text('Change pending') }),
  shows('account, security', security, { sees: button('Change password') }),
  shows('account, new password', newPassword, { sees: text('Password must be at least 6 characters.') }),
  shows('account, passkeys', passkeys),
  shows('account, renaming a passkey', passkeys, { press: /^Rename/, sees: label('Name of this passkey') }),
  shows('account, removing a passkey', passkeys, {
    press: /^Remove Passkey/,
    sees: button('Remove passkey'),
  }),
  shows('account, authenticator app', security, {
    press: 'Set up',
    sees: (page) => page.getByRole('img', { name: 'QR code' }),
  }),
  shows('account, authenticator app, wrong code', authenticatorWrong),
  shows('account, backup codes', backupCodes, { sees: button('I’ve saved these codes') }),
  shows('account, connections', connections, { sees: button('Connect GitHub') }),
  shows('account, devices', signedInAt('/settings/devices', 'Devices'), { sees: text('This device') }),
  shows('account, signing a device out', signingOut, { sees: text('That device has to log in again.') }),
  shows('account, activity', signedInAt('/settings/activity', 'Activity'), {
    sees: text('Logged in with a password'),
  }),
  shows('account, data', data),
  shows('account, deletion', data, { press: 'Delete account', sees: button('Delete my account') }),
  shows('account, deletion scheduled', deletionScheduled, { sees: text('Keep your account?') }),
  shows('dashboard, passkey offer', signedInAt('/dashboard', 'Dashboard Page'), {
    sees: text('Log in faster next time'),
  }),
  shows('login, second factor', secondFactor, { sees: button(/Use a backup code/) }),
  shows('login, backup code', secondFactor, { press: /Use a backup code/, sees: label('Backup code') }),
]

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
}

async function newPassword(stage: Stage): Promise<void> {
  await security(stage)
  await stage.page.getByRole('button', { name: 'Change password' }).click()
  await stage.page.getByRole('textbox', { name: 'New password' }).fill('quiet')
  await stage.page.getByRole('button', { name: 'Save password' }).click()
}

async function passkeys(stage: Stage): Promise<void> {
  await addAuthenticator(stage.page)
  await security(stage)
  await stage.page.getByRole('button', { name: 'Add a passkey' }).click()
  await expect(stage.page.getByText('Your passkey is added.')).toBeVisible()
}

async function authenticatorWrong(stage: Stage): Promise<void> {
  await security(stage)
  await stage.page.getByRole('button', { name: 'Set up' }).click()
  await stage.page.getByRole('textbox', { name: 'Code' }).fill('12')
  await stage.page.getByRole('button', { name: 'Turn on' }).click()
  await expect(stage.page.getByText('Enter the six digits')).toHaveCount(2)
}

async function backupCodes(stage: Stage): Promise<void> {
  await security(stage)
  await setUpAuthenticatorApp(stage.page)
}

async function connections(stage: Stage): Promise<void> {
  skipWithout('GitHub')
  await signedInAt('/settings/connections', 'Connected accounts')(stage)
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
}

async function secondFactor(stage: Stage): Promise<void> {
  const user = await signInNewUser(stage)
  await open(stage.page, '/settings/security', 'Security')
  await setUpAuthenticatorApp(stage.page)
  await stage.page.getByRole('button', { name: 'I’ve saved these codes' }).click()
  await expect(stage.page.getByText('Your backup codes are ready.')).toBeVisible()
  await stage.page.getByRole('button', { name: 'Logout' }).click()
  await expect(stage.page).toHaveURL('/')
  await goToLogin(stage.page)
  await enterPassword(stage.page, user)
}
