import { randomUUID } from 'node:crypto'
import { expect, type Page, test } from '@playwright/test'

const { EXAMPLE_URL: example = '', ADMIN_URL: admin = '' } = process.env
const email = `user-${randomUUID().slice(0, 8)}@example.com`
const password = 'three quiet words'

test('a user registers, verifies the address, mistypes the password, logs in and out', async ({ page }) => {
  await page.goto(example)
  await page.getByRole('link', { name: 'sign up' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByLabel('code').fill(await codeFor(page))
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByRole('link', { name: 'Log in' }).click()
  await page.getByLabel('Email').fill(email)
  await logIn(page, 'not my password')
  await expect(page.getByText('Incorrect email or password')).toBeVisible()
  await logIn(page, password)
  await expect(page.getByRole('heading')).toHaveText(`Hello, ${email}`)
  await page.reload()
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page.getByRole('link', { name: 'Log in' })).toBeVisible()
})

async function logIn(page: Page, typed: string): Promise<void> {
  await page.getByLabel('Password').fill(typed)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}

async function codeFor(page: Page): Promise<string> {
  await page.waitForURL(/\/verify\?flow=/)
  const messages = `${admin}/admin/courier/messages?recipient=${encodeURIComponent(email)}`
  const [message] = (await (await page.request.get(messages)).json()) as { body: string }[]
  return /\b\d{6}\b/.exec(message?.body ?? '')?.[0] ?? ''
}
