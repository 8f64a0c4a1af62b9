import { expect } from '@playwright/test'
import { name as productName } from '../../app.config.ts'
import { consent, goToProvider, skipWithout } from '../kit/consent.ts'
import { createAccount, newUser } from '../kit/users.ts'
import { button, open, type Stage, type State, shows, text } from './stage.ts'

export const socialStates: readonly State[] = [
  shows('login, last used', loginLastUsed, { sees: button('Forget') }),
  shows('login, linking', loginLinking, { sees: text('You already have an account') }),
  shows('register, without email', registerWithoutEmail, { sees: text('One thing is missing') }),
  shows('settings, GitHub only', settingsSocial, { sees: text('Your only login method.') }),
  shows('consent', providerConsent, { sees: button(`Continue to ${productName}`) }),
  shows('consent, all open', providerConsentOpen),
  shows('consent, expired', providerExpired, { sees: text('This login attempt is over.') }),
]

async function loginLastUsed({ page }: Stage): Promise<void> {
  skipWithout('GitHub')
  await page.addInitScript(() => {
    localStorage.setItem('last-method', 'github')
    localStorage.setItem('last-email', 'ada.lovelace@example.com')
  })
  await open(page, '/login', 'Login')
}

async function loginLinking({ page, product }: Stage): Promise<void> {
  const user = newUser()
  await createAccount(product, user)
  await goToProvider(page, 'GitHub')
  await consent(page, { user: 'taken', email: user.email })
}

async function registerWithoutEmail({ page }: Stage): Promise<void> {
  await goToProvider(page, 'Google')
  await consent(page, { user: 'no_email' })
}

async function providerConsent({ page }: Stage): Promise<void> {
  await page.route('**/demo/api/consent/**', (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: { users: [] } }) : route.continue(),
  )
  await goToProvider(page, 'GitHub')
}

async function providerConsentOpen(stage: Stage): Promise<void> {
  await providerConsent(stage)
  await stage.page.getByRole('radio', { name: /email is taken/ }).check()
  await stage.page.getByText('Let something go wrong').click()
}

async function providerExpired({ page }: Stage): Promise<void> {
  skipWithout('Google')
  await page.goto('/demo/consent?provider=google&attempt=unknown')
}

async function settingsSocial({ page }: Stage): Promise<void> {
  await goToProvider(page, 'GitHub')
  await consent(page)
  await expect(page).toHaveURL(/\/dashboard/)
  await open(page, '/settings/connections', 'Connected accounts')
}
