import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { oneTimePassword } from './authenticator.ts'
import type { User } from './users.ts'

// What many screens have.

export const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** Alerts are in the page before they have a text, so that screen readers announce it. */
export const alert = (page: Page) => page.getByRole('alert').filter({ hasText: /./ })

export const password = (page: Page) => page.getByRole('textbox', { name: 'Password', exact: true })

/** Fills the form of a sign-in or a registration. */
export async function fillIn(page: Page, user: User): Promise<void> {
  await page.getByLabel('Email').fill(user.email)
  await password(page).fill(user.password)
}

/** Fills and sends the form of the sign-in. */
export async function enterPassword(page: Page, user: User): Promise<void> {
  await fillIn(page, user)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
}

/** By the link in the bar: nothing is loaded again. */
export async function goToLogin(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).click()
}

/** On the page "Security"; returns the app's key. */
export async function setUpAuthenticatorApp(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Set up' }).click()
  const key = (await page.locator('code').textContent()) ?? ''
  await page.getByRole('textbox', { name: 'Code' }).fill(oneTimePassword(key))
  await page.getByRole('button', { name: 'Turn on' }).click()
  return key
}
