import { expect, type Page, test } from '@playwright/test'
import { demoProviders, name as productName } from '../../app.config.ts'

export type ProviderName = 'GitHub' | 'Google'

export async function goToProvider(page: Page, provider: ProviderName, from = '/login'): Promise<void> {
  await page.goto(from)
  await chooseProvider(page, provider, from === '/register' ? 'Sign up' : 'Sign in')
}

export async function chooseProvider(page: Page, provider: ProviderName, verb = 'Sign in'): Promise<void> {
  skipWithout(provider)
  await page.getByRole('button', { name: `${verb} with ${provider}` }).click()
  await expect(page).toHaveURL(/\/demo\/consent\?/)
}

/** Skips the test in a product whose demo leaves the provider out. */
export function skipWithout(provider: ProviderName): void {
  const isPlayed = demoProviders.some(({ label }) => label === provider)
  test.skip(!isPlayed, `The demo does not play ${provider}.`)
}

const newcomers = {
  new: /^New user With/,
  taken: /^New user whose email is taken/,
  no_email: /^New user without/,
  unverified: /^New user with an unverified/,
} as const

interface Choices {
  readonly user?: keyof typeof newcomers | { readonly name: string }
  readonly email?: string
  readonly answer?: string
}

export async function consent(page: Page, { user = 'new', email, answer }: Choices = {}): Promise<void> {
  const name = typeof user === 'string' ? newcomers[user] : new RegExp(`^${user.name}\\b`)
  await page.getByRole('radio', { name }).check()
  if (email !== undefined) await page.getByLabel('Email of that account').fill(email)
  if (answer !== undefined) {
    await page.getByText('Let something go wrong').click()
    await page.getByRole('radio', { name: answer }).check()
  }
  await page.getByRole('button', { name: `Continue to ${productName}` }).click()
}
