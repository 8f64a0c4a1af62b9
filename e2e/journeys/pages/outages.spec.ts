import { few } from '@ostiary/identity/testing/input/sample'
import type { Route } from '@playwright/test'
import { aboutTexts, homeTexts } from '../../../app/texts.ts'
import { expect, test } from '../../kit/fixtures.ts'
import { alert, enterPassword, fillIn, heading } from '../../kit/screen.ts'
import { createAccount, newUser } from '../../kit/users.ts'

test.use({ provoked: /^(Failed to load resource: |Error fetching session )/ })

const faults: Readonly<Record<string, (route: Route) => Promise<void>>> = {
  'refuses connections': (route) => route.abort('connectionrefused'),
  'breaks connections off': (route) => route.abort('connectionreset'),
  'cannot be reached: the machine is offline': (route) => route.abort('internetdisconnected'),
  'answers 500': (route) => route.fulfill({ status: 500, json: { error: { code: 500, message: 'failed' } } }),
  'answers 502 with a page': (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
  'answers 503': (route) =>
    route.fulfill({ status: 503, headers: { 'Retry-After': '5' }, json: { error: { code: 503 } } }),
  'answers 429': (route) => route.fulfill({ status: 429, json: { error: { code: 429 } } }),
  'answers with a page instead of JSON': (route) =>
    route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Welcome to the hotel network</h1>' }),
  'answers with nothing': (route) => route.fulfill({ status: 200, body: '' }),
  'answers with half an answer': (route) =>
    route.fulfill({ status: 200, contentType: 'application/json', body: '{"id":"0' }),
}

const screens = [
  { path: '/', title: homeTexts.heading },
  { path: '/about', title: aboutTexts.heading },
  { path: '/login', title: 'Login' },
  { path: '/register', title: 'Sign up' },
  { path: '/verify?flow=00000000-0000-4000-8000-000000000000', title: 'Verify your email' },
  { path: '/dashboard', title: homeTexts.heading },
  { path: '/error?id=00000000-0000-4000-8000-000000000000', title: 'Something went wrong' },
  { path: '/nowhere', title: '404 Not Found' },
]

for (const [what, fault] of few('faults', Object.entries(faults), 2)) {
  test(`FLT-27: no page is blank while the identity service ${what}`, async ({ page }) => {
    await page.route('**/.ory/**', fault)
    for (const { path, title } of few(what, screens, 3)) {
      await page.goto(path)
      await expect(heading(page), path).toHaveText(title)
      await expect(page.getByRole('contentinfo')).toBeVisible()
    }
  })

  test(`FLT-27: nothing typed is lost while the identity service ${what}`, async ({ page, account }) => {
    await page.goto('/login')
    await fillIn(page, account)
    await page.route('**/.ory/**', fault)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await expect(alert(page)).toBeVisible()
    await expect(page.getByLabel('Email')).toHaveValue(account.email)
    await page.unroute('**/.ory/**')
    await page.getByRole('textbox', { name: 'Password' }).fill(account.password)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await expect(page).toHaveURL('/dashboard')
  })
}

test('FLT-27: pages recover automatically', async ({ page, signedIn: _ }) => {
  await page.route('**/.ory/**', (route) => route.abort('connectionrefused'))
  await page.goto('/about')
  await expect(page.getByText('Can’t reach the login service. Retrying…')).toBeVisible()
  await page.unroute('**/.ory/**')
  await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
  await expect(page.getByText('Retrying…')).toBeHidden()
})

const forms = [
  { path: '/login', button: 'Login' },
  { path: '/register', button: 'Sign up' },
]

for (const { path, button } of few('forms', forms, 1)) {
  test(`FLT-27: ${path} explains the outage and keeps the focus`, async ({ page }) => {
    await page.route('**/.ory/**', (route) => route.abort('connectionrefused'))
    await page.goto(path)
    await expect(alert(page)).toContainText('We can’t reach the login service right now.')
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
    await page.getByLabel('Email').fill('user@example.com')
    await page.unroute('**/.ory/**')
    await expect(alert(page)).toHaveCount(0)
    await expect(page.getByLabel('Email')).toBeFocused()
    await expect(page.getByLabel('Email')).toHaveValue('user@example.com')
    await expect(page.getByRole('button', { name: button, exact: true })).toBeEnabled()
  })
}

test('FLT-27: a slow page shows progress and submits once', async ({ page, account }) => {
  let submissions = 0
  const held = Promise.withResolvers<void>()
  await page.route('**/.ory/**', async (route) => {
    if (route.request().method() === 'POST') {
      submissions += 1
      await held.promise
    }
    await route.continue()
  })
  await page.goto('/login')
  await enterPassword(page, account)
  const busy = page.getByRole('button', { name: 'Logging in…' })
  await expect(busy).toHaveAttribute('aria-disabled', 'true')
  await busy.click({ force: true })
  await page.getByRole('textbox', { name: 'Password' }).press('Enter')
  held.resolve()
  await expect(page).toHaveURL('/dashboard')
  expect(submissions).toBe(1)
})

test('FLT-27: a user continues typing after the outage', async ({ page, start }) => {
  const first = await start({})
  const user = newUser()
  await createAccount(first, user)
  // The passkey script is not loaded before.
  await page.route('**/assets/esm-*.js', (route) => route.abort())
  await page.goto(`${first.url}/login`)
  await fillIn(page, user)
  await first.pause()
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(alert(page)).toContainText('Your entries stay here.')
  await first.resume()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page).toHaveURL(`${first.url}/dashboard`)
})

test('FLT-27: cookies that end while typing lead to a login that finishes', async ({
  page,
  context,
  registered,
  inbox,
}) => {
  await page.goto(`/verify?flow=${registered.verification}`)
  const code = await inbox.code(registered.email)
  await expect(page.getByLabel('Code')).toBeVisible()
  await context.clearCookies()
  await page.getByLabel('Code').fill(code)
  // Without its cookies it is another browser than the registering one.
  await expect(page.getByRole('heading', { name: 'One last step' })).toBeVisible()
})
