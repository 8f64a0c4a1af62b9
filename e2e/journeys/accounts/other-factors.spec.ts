import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { oneTimePassword } from '../../kit/authenticator.ts'
import { expect, test } from '../../kit/fixtures.ts'
import type { OtherPages } from '../../kit/other-pages.ts'

// On pages that render the forms of Ory Kratos node by node.

const PASSWORD = 'four rather quiet words'
const newEmail = () => `ada-${randomBytes(4).toString('hex')}@example.com`
const alert = (page: Page) => page.getByRole('alert').first()
const press = (page: Page, name: string, value: string) =>
  page.locator(`button[name=${name}][value=${value}]`).click()
const heading = (page: Page, text: string) => expect(page.getByRole('heading', { level: 1 })).toHaveText(text)

async function signInWithPassword(page: Page, pages: OtherPages, email: string): Promise<void> {
  await page.goto(`${pages.url}/logout`)
  await page.goto(`${pages.url}/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await press(page, 'method', 'password')
}

async function register(page: Page, pages: OtherPages): Promise<string> {
  const email = newEmail()
  await page.goto(`${pages.url}/registration`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await press(page, 'method', 'password')
  await heading(page, 'Signed in')
  return email
}

test.describe('on pages with second factors', () => {
  test.describe.configure({ mode: 'default' })
  let pages: OtherPages
  test.beforeEach(async ({ pagesFor }) => {
    pages = await pagesFor('codes')
  })

  test('an authenticator app is set up, required and removed', async ({ page }) => {
    const email = await register(page, pages)
    await page.goto(`${pages.url}/settings`)
    await page.locator('input[name=totp_code]').fill('000000')
    await press(page, 'method', 'totp')
    await expect(alert(page)).toBeVisible()
    const secret = (await page.locator('#totp_secret_key li').textContent()) ?? ''
    await page.locator('input[name=totp_code]').fill(oneTimePassword(secret))
    await press(page, 'method', 'totp')
    await expect(page.locator('button[name=totp_unlink]')).toBeVisible()

    await signInWithPassword(page, pages, email)
    await heading(page, 'login')
    await page.locator('input[name=totp_code]').fill('000000')
    await press(page, 'method', 'totp')
    await expect(alert(page)).toBeVisible()
    await page.locator('input[name=totp_code]').fill(oneTimePassword(secret, 1))
    await press(page, 'method', 'totp')
    await heading(page, 'Signed in')
    await expect(page.getByText('aal2 by password, totp')).toBeVisible()

    await page.goto(`${pages.url}/settings`)
    await page.locator('button[name=totp_unlink]').click()
    await expect(page.locator('#totp_secret_key')).toBeVisible()
    await signInWithPassword(page, pages, email)
    await heading(page, 'Signed in')
  })

  test('backup codes work once each', async ({ page }) => {
    const email = await register(page, pages)
    await page.goto(`${pages.url}/settings`)
    await press(page, 'lookup_secret_regenerate', 'true')
    const [code = ''] = await page.locator('#lookup_secret_codes li').allTextContents()
    await press(page, 'lookup_secret_confirm', 'true')
    await expect(page.locator('button[name=lookup_secret_disable]')).toBeVisible()

    await signInWithPassword(page, pages, email)
    await page.locator('input[name=lookup_secret]').fill(code)
    await press(page, 'method', 'lookup_secret')
    await heading(page, 'Signed in')
    await expect(page.getByText('aal2 by password, lookup_secret')).toBeVisible()

    await signInWithPassword(page, pages, email)
    await page.locator('input[name=lookup_secret]').fill(code)
    await press(page, 'method', 'lookup_secret')
    await expect(alert(page)).toBeVisible()
    await heading(page, 'login')
  })
})

test.describe('on pages with two steps', () => {
  test.describe.configure({ mode: 'default' })
  let pages: OtherPages
  test.beforeEach(async ({ pagesFor }) => {
    pages = await pagesFor('steps')
  })

  test('two-step registration and sign-in go back', async ({ page }) => {
    const email = newEmail()
    await page.goto(`${pages.url}/registration`)
    await page.getByLabel('Email').fill('ada')
    await press(page, 'method', 'profile')
    await expect(alert(page)).toBeVisible()
    await page.getByLabel('Email').fill(email)
    await press(page, 'method', 'profile')
    await press(page, 'screen', 'previous')
    await expect(page.getByLabel('Email')).toHaveValue(email)
    await press(page, 'method', 'profile')
    await page.getByLabel('Password').fill('short')
    await press(page, 'method', 'password')
    await expect(alert(page)).toBeVisible()
    await page.getByLabel('Password').fill(PASSWORD)
    await press(page, 'method', 'password')
    await heading(page, 'Signed in')

    await page.goto(`${pages.url}/logout`)
    await page.goto(`${pages.url}/login`)
    await page.getByLabel('Email').fill(newEmail())
    await press(page, 'method', 'identifier_first')
    await expect(alert(page)).toBeVisible()
    await page.getByLabel('Email').fill(email)
    await press(page, 'method', 'identifier_first')
    await page.getByLabel('Password').fill('another one')
    await press(page, 'method', 'password')
    await expect(alert(page)).toBeVisible()
    await page.getByLabel('Password').fill(PASSWORD)
    await press(page, 'method', 'password')
    await heading(page, 'Signed in')
  })

  test('both steps work with emailed codes', async ({ page }) => {
    const email = newEmail()
    const enterCode = async (not?: string) => {
      await expect.poll(async () => (await pages.mail(email)).code).not.toBe(not ?? '')
      const { code } = await pages.mail(email)
      await page.getByLabel(/code/i).fill(code)
      await press(page, 'method', 'code')
      return code
    }
    await page.goto(`${pages.url}/registration`)
    await page.getByLabel('Email').fill(email)
    await press(page, 'method', 'profile')
    await press(page, 'method', 'code')
    const first = await enterCode()
    await heading(page, 'Signed in')

    await page.goto(`${pages.url}/logout`)
    await page.goto(`${pages.url}/login`)
    await page.getByLabel('Email').fill(email)
    await press(page, 'method', 'identifier_first')
    await press(page, 'method', 'code')
    await enterCode(first)
    await heading(page, 'Signed in')
  })
})
