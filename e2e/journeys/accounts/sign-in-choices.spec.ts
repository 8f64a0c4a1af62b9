import type { Page } from '@playwright/test'
import { expect, test } from '../../kit/fixtures.ts'
import { inboxOf } from '../../kit/inbox.ts'
import { enterPassword } from '../../kit/screen.ts'
import { createAccount, newUser } from '../../kit/users.ts'

test.describe.configure({ mode: 'default' })

const DAY_S = 24 * 60 * 60

test('staying signed in lasts 30 days', async ({ page, account }) => {
  await page.goto('/login')
  await expect(page.getByRole('checkbox', { name: 'Stay logged in for 30 days' })).not.toBeChecked()
  await page.getByText('Stay logged in for 30 days').click()
  await enterPassword(page, account)
  await expect(page).toHaveURL('/dashboard')
  expect(await daysOfSession(page)).toBe(30)
})

test('a session lasts a day', async ({ page, signedIn }) => {
  await page.goto('/settings')
  await expect(page.getByText(signedIn.email)).toBeVisible()
  expect(await daysOfSession(page)).toBe(1)
})

test('a user signs in with an emailed code and stays signed in', async ({ page, productWith }) => {
  const product = await productWith({ SIGN_IN_CODES: 'on' })
  const user = newUser()
  await createAccount(product, user)
  await page.goto(`${product.url}/settings/devices`)
  await page.getByText('Stay logged in for 30 days').click()
  await askForCode(page, user.email)
  const code = await inboxOf(product).code(user.email)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await page.getByLabel('Code').fill(code === '111111' ? '222222' : '111111')
  await expect(page.getByRole('alert')).toContainText(/code/)
  await expect(page.getByLabel('Code')).toBeFocused()
  await page.getByLabel('Code').fill(code)
  await expect(page.getByText('This device')).toBeVisible()
  await expect(page).toHaveURL(`${product.url}/settings/devices`)
  expect(await daysOfSession(page)).toBe(30)
})

test('a user signs in with the link of the email, in the browser that asked for it and once', async ({
  page,
  otherBrowser,
  productWith,
}) => {
  const product = await productWith({ SIGN_IN_CODES: 'on' })
  const user = newUser()
  await createAccount(product, user)
  await page.goto(`${product.url}/login`)
  await askForCode(page, user.email)
  const link = (await inboxOf(product).newest(user.email)).use_url ?? ''
  const elsewhere = await otherBrowser.newPage()
  await elsewhere.goto(link)
  await expect(elsewhere.getByText('only in the browser where you asked for it')).toBeVisible()
  await expect(elsewhere).toHaveURL(/\/login\?flow=[^#]+$/)
  await expect(elsewhere.getByLabel('Email')).toHaveValue('')

  await page.goto(`${product.url}/demo/inbox`)
  await page.getByRole('button', { name: user.email }).first().click()
  await page.getByRole('link', { name: 'Use the code' }).click()
  await expect(page.getByLabel('Code')).toHaveValue(/^\d{6}$/)
  await expect(page.getByText(`Log in as ${user.email}`)).toBeVisible()
  await expect(page).toHaveURL(link.replace(/#.*/, ''))
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL(`${product.url}/dashboard`)

  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(`${product.url}/`)
  await page.goto(link)
  await expect(page.getByText('only in the browser where you asked for it')).toBeVisible()
})

async function askForCode(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Email me a code' }).click()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
}

/** In whole days. */
async function daysOfSession(page: Page): Promise<number> {
  const cookies = await page.context().cookies(page.url())
  const session = cookies.find(({ name }) => name.endsWith('session'))
  return Math.round(((session?.expires ?? 0) - Date.now() / 1000) / DAY_S)
}
