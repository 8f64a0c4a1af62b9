import { expect } from '@playwright/test'
import { addAuthenticator } from './authenticator.ts'
import { signInSomebody } from './people-on-stage.ts'
import type { Stage, State } from './stage.ts'
import { open } from './stage.ts'

/** Every page of the account, and what opens in place on it. */
export const accountStates: readonly State[] = [
  { name: 'account, profile', show: async (stage) => page(stage, '/settings', 'Profile') },
  { name: 'account, security', show: security },
  { name: 'account, new password', show: newPassword },
  { name: 'account, passkeys', show: passkeys },
  { name: 'account, removing a passkey', show: removingPasskey },
  { name: 'account, authenticator app', show: authenticatorApp },
  { name: 'account, backup codes', show: backupCodes },
  { name: 'account, connections', show: connections },
  { name: 'account, devices', show: devices },
]

async function page(stage: Stage, path: string, heading: string): Promise<void> {
  await signInSomebody(stage)
  await open(stage.page, path, heading)
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

async function backupCodes(stage: Stage): Promise<void> {
  await security(stage)
  await stage.page.getByRole('button', { name: 'Make codes' }).click()
  await expect(stage.page.getByRole('button', { name: 'I’ve saved these codes' })).toBeVisible()
}

async function connections(stage: Stage): Promise<void> {
  await page(stage, '/settings/connections', 'Connected accounts')
  await expect(stage.page.getByRole('button', { name: 'Connect GitHub' })).toBeVisible()
}

async function devices(stage: Stage): Promise<void> {
  await page(stage, '/settings/devices', 'Devices')
  await expect(stage.page.getByText('This device')).toBeVisible()
}
