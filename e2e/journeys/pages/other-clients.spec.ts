import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, test } from '../../kit/fixtures.ts'
import type { OtherPages } from '../../kit/other-pages.ts'

// Written for Ory Kratos: server-rendered forms, a single-page app on another origin, and a native
// app whose links open in a browser.

test.describe.configure({ mode: 'default' })

let pages: OtherPages

test.beforeEach(async ({ pagesFor }) => {
  pages = await pagesFor('codes')
})

const PASSWORD = 'four rather quiet words'
const newEmail = () => `ada-${randomBytes(4).toString('hex')}@example.com`
const alert = (page: Page) => page.getByRole('alert').first()
const submitBy = (page: Page, method: 'password' | 'code') =>
  page.locator(`button[name=method][value=${method}]`).click()
const isSignedIn = (page: Page) => expect(page.getByRole('heading', { level: 1 })).toHaveText('Signed in')

async function proveBy(page: Page, email: string): Promise<void> {
  const { code } = await pages.mail(email)
  await page.getByLabel(/code/i).fill(code === '000000' ? '000001' : '000000')
  await submitBy(page, 'code')
  await expect(alert(page)).toBeVisible()
  await page.getByRole('button', { name: 'Send a new code' }).click()
  await expect.poll(async () => (await pages.mail(email)).code).not.toBe(code)
  await page.getByLabel(/code/i).fill((await pages.mail(email)).code)
  await submitBy(page, 'code')
}

test('server-rendered forms register, sign in, recover and change a password', async ({ page }) => {
  const email = newEmail()
  await page.goto(`${pages.url}/registration`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill('short')
  await submitBy(page, 'password')
  await expect(alert(page)).toBeVisible()
  await page.getByLabel('Password').fill(PASSWORD)
  await submitBy(page, 'password')
  await isSignedIn(page)

  await page.goto(`${pages.url}/verification`)
  await page.locator('input[name=email]').fill(email)
  await submitBy(page, 'code')
  await proveBy(page, email)
  await expect(page.getByText(/confirmed/i)).toBeVisible()

  await page.goto(`${pages.url}/logout`)
  await page.goto(`${pages.url}/login`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill('another one')
  await submitBy(page, 'password')
  await expect(alert(page)).toBeVisible()
  await page.getByLabel('Password').fill(PASSWORD)
  await submitBy(page, 'password')
  await isSignedIn(page)

  await page.goto(`${pages.url}/logout`)
  await page.goto(`${pages.url}/recovery`)
  await page.locator('input[name=email]').fill(email)
  await submitBy(page, 'code')
  await proveBy(page, email)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('settings')
  await page.getByLabel('Password').fill(`${PASSWORD}, and one more`)
  await submitBy(page, 'password')
  await expect(alert(page)).toBeVisible()
  await page.goto(`${pages.url}/`)
  await isSignedIn(page)
})

test('server-rendered forms work with emailed codes', async ({ page }) => {
  const email = newEmail()
  await page.goto(`${pages.url}/registration`)
  await page.getByLabel('Email').fill(email)
  await submitBy(page, 'code')
  await proveBy(page, email)
  await isSignedIn(page)
  await page.goto(`${pages.url}/logout`)
  await page.goto(`${pages.url}/login`)
  await page.getByLabel('Email').fill(email)
  await submitBy(page, 'code')
  await proveBy(page, email)
  await isSignedIn(page)
})

// The other pages' policy allows no calls.
test.describe('on a page that may call the service', () => {
  test.use({ bypassCSP: true })

  test('a single-page app on another origin registers and signs in', async ({ page }) => {
    const email = newEmail()
    await page.goto(`${pages.url}/`)
    const statuses = await page.evaluate(walkAsScript, {
      base: pages.identity_url,
      email,
      password: PASSWORD,
    })
    expect(statuses).toEqual({ wrong: 400, registered: 200, who: email, signedOut: 401, signedIn: 200 })
  })
})

test("a native app's link asks a browser to log in, and the app stays signed in", async ({ page }) => {
  const { email, session_token } = await registerInApp()
  await page.goto((await pages.mail(email)).link)
  await expect(page.getByLabel(/code/i)).toHaveValue((await pages.mail(email)).code)
  await submitBy(page, 'code')
  await expect(page.getByText(/another browser/)).toBeVisible()
  await page.getByLabel('Password').fill(PASSWORD)
  await submitBy(page, 'password')
  await expect.poll(() => whoamiOfApp(session_token)).toBe(200)
})

test('a native app that submits the code keeps its session', async () => {
  const { email, session_token } = await registerInApp()
  const { code } = await pages.mail(email)
  const { ui } = await callAsApp(`${pages.identity_url}/self-service/verification/api`)
  await callAsApp(ui.action, { method: 'code', email })
  await expect.poll(async () => (await pages.mail(email)).code).not.toBe(code)
  const values = { method: 'code', code: (await pages.mail(email)).code }
  const proven = await callAsApp(ui.action, values, { 'X-Session-Token': session_token })
  expect(proven).toMatchObject({ state: 'passed_challenge' })
  expect(await whoamiOfApp(session_token)).toBe(200)
  const login = await callAsApp(`${pages.identity_url}/self-service/login/api`)
  const signedIn = await callAsApp(login.ui.action, {
    method: 'password',
    identifier: email,
    password: PASSWORD,
  })
  expect(signedIn).toHaveProperty('session_token')
})

interface AppAnswer {
  readonly ui: { readonly action: string }
  readonly session_token: string
}

async function registerInApp() {
  const email = newEmail()
  const { ui } = await callAsApp(`${pages.identity_url}/self-service/registration/api`)
  const values = { method: 'password', password: PASSWORD, traits: { email } }
  const { session_token } = await callAsApp(ui.action, values)
  await expect.poll(async () => (await pages.mail(email)).link).not.toBe('')
  return { email, session_token }
}

async function callAsApp(url: string, body?: object, headers = {}): Promise<AppAnswer> {
  const response = await fetch(url, {
    headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  })
  return (await response.json()) as AppAnswer
}

async function whoamiOfApp(session_token: string): Promise<number> {
  const headers = { 'X-Session-Token': session_token }
  return (await fetch(`${pages.identity_url}/sessions/whoami`, { headers })).status
}

async function walkAsScript({ base, email, password }: { base: string; email: string; password: string }) {
  const call = async (path: string, body?: object) => {
    const response = await fetch(path.startsWith('http') ? path : `${base}${path}`, {
      credentials: 'include',
      headers: { Accept: 'application/json', ...(body ? { 'Content-Type': 'application/json' } : {}) },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    })
    return { status: response.status, body: response.status === 204 ? {} : await response.json() }
  }
  const submit = async (kind: string, values: object) => {
    const { body } = await call(`/self-service/${kind}/browser`)
    const token = body.ui.nodes.find(
      ({ attributes }: { attributes: { name: string } }) => attributes.name === 'csrf_token',
    )
    return await call(body.ui.action, { csrf_token: token.attributes.value, method: 'password', ...values })
  }
  const wrong = await submit('registration', { password: 'short', traits: { email } })
  const registered = await submit('registration', { password, traits: { email } })
  const who = await call('/sessions/whoami')
  const { body: logout } = await call('/self-service/logout/browser')
  await call(`/self-service/logout?token=${logout.logout_token}`)
  const signedOut = await call('/sessions/whoami')
  const signedIn = await submit('login', { identifier: email, password })
  return {
    wrong: wrong.status,
    registered: registered.status,
    who: who.body.identity.traits.email,
    signedOut: signedOut.status,
    signedIn: signedIn.status,
  }
}
