import { aboutTexts } from '../../../app/texts.ts'
import { expect, test } from '../../kit/fixtures.ts'
import { heading } from '../../kit/screen.ts'

test.describe('offline', () => {
  test.use({ provoked: /Failed to (load resource|fetch)|dynamically imported module/ })

  test('a screen that is not loaded opens once online', async ({ page, context }) => {
    await page.route('**/assets/login*', (route) => route.abort('internetdisconnected'))
    await page.goto('/about')
    await expect(heading(page)).toHaveText(aboutTexts.heading)
    await context.setOffline(true)
    await page.getByRole('banner').getByRole('link', { name: 'Login' }).click()
    await expect(heading(page)).toHaveText('You are offline')
    await page.getByRole('link', { name: 'About' }).click()
    await expect(heading(page)).toHaveText(aboutTexts.heading)
    await page.getByRole('banner').getByRole('link', { name: 'Login' }).click()
    await expect(heading(page)).toHaveText('You are offline')
    await page.unroute('**/assets/login*')
    await context.setOffline(false)
    await expect(heading(page)).toHaveText('Login')
  })
})

test('a screen that loads slowly shows progress', async ({ page }) => {
  const held = Promise.withResolvers<void>()
  await page.route('**/assets/register*', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto('/')
  await page.getByRole('link', { name: 'Sign up', exact: true }).click()
  await expect(page.getByRole('progressbar', { name: 'Loading' })).toBeVisible()
  held.resolve()
  await expect(heading(page)).toHaveText('Sign up')
  await expect(page.getByRole('progressbar')).toBeHidden()
})

test('the button stays busy until the dashboard has loaded', async ({ page, account }) => {
  const held = Promise.withResolvers<void>()
  await page.route('**/assets/dashboard*', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto('/login')
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('progressbar', { name: 'Loading' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Logging in…' })).toBeVisible()
  held.resolve()
  await expect(heading(page)).toHaveText('Dashboard Page')
})

test('pointing at a link preloads its screen', async ({ page }) => {
  await page.goto('/about')
  const loaded = page.waitForResponse('**/assets/login*')
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).hover()
  expect((await loaded).ok()).toBe(true)
})

test('the home page needs at most 15 requests', async ({ page }) => {
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  await page.goto('/', { waitUntil: 'networkidle' })
  expect(requested.length, requested.join('\n')).toBeLessThanOrEqual(15)
})

test('the home page loads no identity client', async ({ page }) => {
  const scripts: Promise<string>[] = []
  page.on('response', (response) => {
    if (/\/assets\/.*\.js$/.test(response.url())) scripts.push(response.text())
  })
  await page.goto('/', { waitUntil: 'networkidle' })
  expect(scripts.length).toBeGreaterThan(2)
  expect((await Promise.all(scripts)).filter((text) => /path:.\/sessions\/whoami/.test(text))).toEqual([])
})

for (const path of ['/', '/login', '/register', '/demo'])
  test(`${path} makes no formatter of dates, which takes a phone 60 ms`, async ({ page }) => {
    await page.addInitScript(() => {
      Intl.DateTimeFormat = new Proxy(Intl.DateTimeFormat, {
        construct: () => {
          throw new Error('a formatter was made')
        },
      })
    })
    await page.goto(path, { waitUntil: 'networkidle' })
    await expect(page.getByRole('main')).toBeVisible()
  })

test('an anonymous visit makes no failing call', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto('/')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  expect(asked.filter((url) => url.includes('/.ory/'))).toEqual([])
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the home page explains what is missing', async ({ page }) => {
    await page.goto('/')
    await expect(page.locator('body > noscript')).toBeInViewport()
    await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toHaveAttribute(
      'href',
      '/login',
    )
    await expect(page.getByRole('link', { name: 'Sign up', exact: true })).toHaveAttribute(
      'href',
      '/register',
    )
  })

  for (const [path, field, button] of [
    ['/login', 'Email', 'Login'],
    ['/verify?flow=1', 'Code', 'Verify'],
    ['/recovery', 'Email', 'Send me a code'],
  ] as const) {
    test(`the form at ${path} explains that it cannot work`, async ({ page }) => {
      await page.goto(path)
      await expect(page.locator('body > noscript')).toBeInViewport()
      await expect(page.getByLabel(field)).toBeVisible()
      await expect(page.getByRole('button', { name: button, exact: true })).toBeDisabled()
    })
  }

  test('the dashboard explains what is missing, instead of loading forever', async ({
    page,
    signedIn: _,
  }) => {
    await page.goto('/dashboard')
    await expect(page.locator('body > noscript')).toBeInViewport()
    await expect(page.getByText('Loading authentication...')).toBeHidden()
  })
})

test.describe('before scripts have loaded', () => {
  test.use({ provoked: /Failed to load resource/ })

  test('the home page offers a visitor to sign up', async ({ page }) => {
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.goto('/')
    await expect(page.getByRole('main').getByRole('link', { name: 'Sign up' })).toBeVisible()
    await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Open the dashboard' })).toBeHidden()
  })

  test('the home page offers a signed-in user the dashboard', async ({ page, signedIn: _ }) => {
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.goto('/')
    await expect(page.getByRole('main').getByRole('link', { name: 'Open the dashboard' })).toBeVisible()
    await expect(page.getByRole('link', { name: /Sign up|Login/ })).toBeHidden()
  })
})
