import { expect, type Page } from '@playwright/test'
import { oneTimePassword } from './authenticator.ts'
import type { User } from './users.ts'

export const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** Empty alerts exist from the start, so that screen readers announce their text. */
export const alert = (page: Page) => page.getByRole('alert').filter({ hasText: /./ })

/** Holds answers back until they are released. */
export async function hold(page: Page, pattern: RegExp | string): Promise<{ release(): Promise<void> }> {
  const held = Promise.withResolvers<void>()
  await page.route(pattern, async (route) => {
    await held.promise
    await route.fallback()
  })
  return {
    async release() {
      held.resolve()
      await page.unroute(pattern)
    },
  }
}

export const password = (page: Page) => page.getByRole('textbox', { name: 'Password', exact: true })

export async function fillIn(page: Page, user: User): Promise<void> {
  await page.getByLabel('Email').fill(user.email)
  await password(page).fill(user.password)
}

export async function enterPassword(page: Page, user: User): Promise<void> {
  await fillIn(page, user)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
}

export async function goToLogin(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).click()
}

export async function setUpAuthenticatorApp(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Set up' }).click()
  const key = (await page.locator('code').textContent()) ?? ''
  await page.getByRole('textbox', { name: 'Code' }).fill(oneTimePassword(key))
  return key
}
