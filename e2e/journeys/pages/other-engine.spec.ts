import type { Page } from '@playwright/test'
import { aboutTexts } from '../../../app/texts.ts'
import { expect, test } from '../../kit/fixtures.ts'
import { alert, enterPassword, fillIn, heading } from '../../kit/screen.ts'
import type { User } from '../../kit/users.ts'

test.describe.configure({ mode: 'default' })

test('with another identity service a user registers, signs in and out', async ({
  page,
  context,
  user,
  productWithOther,
}) => {
  const { product, other } = await productWithOther()
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(`${product.url}/`)) elsewhere.push(request.url())
  })
  await register(page, product.url, user)
  await page.getByLabel('Code').fill(await other.code(user.email))
  await expect(heading(page)).toHaveText('Email Verified!')
  await page.getByRole('link', { name: 'Go to Login' }).click()
  await signIn(page, user)
  await expect(page.getByRole('link', { name: /^hello-world/ })).toBeVisible()
  await page.reload()
  await expect(heading(page)).toHaveText('Dashboard Page')

  for (const cookie of await context.cookies()) {
    expect({ name: cookie.name, domain: cookie.domain, path: cookie.path }).toEqual({
      name: cookie.name,
      domain: 'localhost',
      path: '/',
    })
  }
  const answer = await page.request.get(`${product.url}/api/v1/cash/protected`)
  expect(answer.status(), 'the tokenized session opens the product API').toBe(200)

  await page.getByRole('button', { name: /^Account menu/ }).click()
  await page.getByRole('link', { name: 'Security', exact: true }).click()
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByRole('textbox', { name: 'New password' }).fill('four rather quiet words')
  await page.getByRole('button', { name: 'Save password' }).click()
  await expect(page.getByText('Your new password is set.')).toBeVisible()
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL(`${product.url}/`)
  await page.goto(`${product.url}/dashboard`)
  await expect(page).toHaveURL(`${product.url}/`)
  await page.goto(`${product.url}/login`)
  await signIn(page, { ...user, password: 'four rather quiet words' })
  expect(elsewhere.filter((url) => [other.url, other.name].some((part) => url.includes(part)))).toEqual([])
})

test('with another identity service a password is recovered', async ({ page, user, productWithOther }) => {
  const { product, other } = await productWithOther()
  await register(page, product.url, user)
  await page.getByLabel('Code').fill(await other.code(user.email))
  await expect(heading(page)).toHaveText('Email Verified!')
  await page.goto(`${product.url}/recovery`)
  await page.getByLabel('Email').fill(user.email)
  await page.getByRole('button', { name: 'Send me a code' }).click()
  await page.getByRole('textbox', { name: 'Code' }).fill(await other.code(user.email, 2))
  await expect(heading(page)).toHaveText('Choose a new password')
  await page.getByRole('textbox', { name: 'New password' }).fill('four rather quiet words')
  await page.getByRole('button', { name: 'Set new password' }).click()
  await expect(page).toHaveURL(`${product.url}/dashboard`)
  await expect(heading(page)).toHaveText('Dashboard Page')
})

test.describe('while the other identity service is down', () => {
  test.use({ provoked: /^(Failed to load resource: .* 502|Error fetching session )/ })

  test('the pages say so at once', async ({ page, start }) => {
    const product = await start({ IDENTITY_URL: 'http://127.0.0.1:9' })
    await page.goto(`${product.url}/login`)
    await expect(alert(page)).toContainText('We can’t reach the login service right now.')
    await page.goto(`${product.url}/about`)
    await expect(heading(page)).toHaveText(aboutTexts.heading)
  })
})

async function register(page: Page, url: string, user: User): Promise<void> {
  await page.goto(`${url}/register`)
  await fillIn(page, user)
  await page.getByRole('button', { name: 'Sign up', exact: true }).click()
  await expect(page).toHaveURL(/\/verify\?flow=[\w-]+$/)
}

async function signIn(page: Page, user: User): Promise<void> {
  await enterPassword(page, user)
  await expect(heading(page)).toHaveText('Dashboard Page')
}
