import { expect } from '@playwright/test'
import { name as productName } from '../../app.config.ts'
import { consent, goToProvider, skipWithout } from '../kit/consent.ts'
import { heading } from '../kit/screen.ts'
import { createAccount, newUser } from '../kit/users.ts'
import { open, type Stage, type State } from './stage.ts'

export const socialStates: readonly State[] = [
  { name: 'login, last used', show: loginLastUsed },
  { name: 'login, linking', show: loginLinking },
  { name: 'register, without email', show: registerWithoutEmail },
  { name: 'settings, GitHub only', show: settingsSocial },
  { name: 'consent', show: providerConsent },
  { name: 'consent, all open', show: providerConsentOpen },
  { name: 'consent, expired', show: providerExpired },
]

async function loginLastUsed({ page }: Stage): Promise<void> {
  skipWithout('GitHub')
  await page.addInitScript(() => {
    localStorage.setItem('last-method', 'github')
    localStorage.setItem('last-email', 'ada.lovelace@example.com')
  })
  await open(page, '/login', 'Login')
  await expect(page.getByRole('button', { name: 'Forget' })).toBeVisible()
}

async function loginLinking({ page, product }: Stage): Promise<void> {
  const user = newUser()
  await createAccount(product, user)
  await goToProvider(page, 'GitHub')
  await consent(page, { user: 'taken', email: user.email })
  await expect(heading(page)).toHaveText('You already have an account')
}

async function registerWithoutEmail({ page }: Stage): Promise<void> {
  await goToProvider(page, 'Google')
  await consent(page, { user: 'no_email' })
  await expect(heading(page)).toHaveText('One thing is missing')
}

async function providerConsent({ page }: Stage): Promise<void> {
  await page.route('**/demo/api/consent/**', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: { users: [] } }) : route.continue(),
  )
  await goToProvider(page, 'GitHub')
  await expect(page.getByRole('button', { name: `Continue to ${productName}` })).toBeVisible()
}

async function providerConsentOpen(stage: Stage): Promise<void> {
  await providerConsent(stage)
  await stage.page.getByRole('radio', { name: /email is taken/ }).check()
  await stage.page.getByText('Let something go wrong').click()
}

async function providerExpired({ page }: Stage): Promise<void> {
  skipWithout('Google')
  await page.goto('/demo/consent?provider=google&attempt=unknown')
  await expect(page.getByText('This login attempt has expired.')).toBeVisible()
}

async function settingsSocial({ page }: Stage): Promise<void> {
  await goToProvider(page, 'GitHub')
  await consent(page)
  await expect(page).toHaveURL(/\/dashboard/)
  await open(page, '/settings/connections', 'Connected accounts')
  await expect(page.getByText('Your only login method.')).toBeVisible()
}
