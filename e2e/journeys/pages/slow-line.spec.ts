import { few } from '@ostiary/identity/testing/input/sample'
import { aboutTexts } from '../../../app/texts.ts'
import { expect, test } from '../../kit/fixtures.ts'
import { alert, enterPassword, fillIn, heading, hold } from '../../kit/screen.ts'

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

  test('the menu of the account stays', async ({ page, context, signedIn: _ }) => {
    await page.goto('/settings')
    const menu = page.getByRole('navigation', { name: 'Account', exact: true })
    await expect(page.getByRole('region', { name: 'Email' })).toBeVisible()
    await context.setOffline(true)
    await menu.getByRole('link', { name: 'Devices' }).click()
    await expect(alert(page)).toContainText('You are offline')
    await expect(heading(page)).toHaveText('Devices')
    await expect(heading(page)).toBeFocused()
    await menu.getByRole('link', { name: 'Profile' }).click()
    await expect(page.getByRole('region', { name: 'Email' })).toBeVisible()
    await menu.getByRole('link', { name: 'Devices' }).click()
    await context.setOffline(false)
    await expect(page.getByRole('main').getByText('This device')).toBeVisible()
  })
})

test('the button stays busy until the dashboard has loaded', async ({ page, account }) => {
  const screen = await hold(page, '**/assets/dashboard*')
  await page.goto('/login')
  await enterPassword(page, account)
  await expect(page.getByRole('progressbar', { name: 'Loading' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Logging in…' })).toBeVisible()
  await screen.release()
  await expect(heading(page)).toHaveText('Dashboard Page')
})

test('pointing at a link preloads its screen', async ({ page }) => {
  await page.goto('/about')
  const loaded = page.waitForResponse('**/assets/login*')
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).hover()
  expect((await loaded).ok()).toBe(true)
})

test('the home page needs at most 15 requests, no identity client and no call to it', async ({ page }) => {
  const requested: string[] = []
  const scripts: Promise<string>[] = []
  page.on('request', (request) => requested.push(request.url()))
  page.on('response', (response) => {
    if (/\/assets\/.*\.js$/.test(response.url())) scripts.push(response.text())
  })
  await page.goto('/', { waitUntil: 'networkidle' })
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
  expect(requested.length, requested.join('\n')).toBeLessThanOrEqual(15)
  expect(requested.filter((url) => url.includes('/.ory/'))).toEqual([])
  expect(scripts.length).toBeGreaterThan(2)
  expect((await Promise.all(scripts)).filter((text) => /path:.\/sessions\/whoami/.test(text))).toEqual([])
})

test('the first pages make no formatter of dates, which takes a phone 60 ms', async ({ page }) => {
  await page.addInitScript(() => {
    Intl.DateTimeFormat = new Proxy(Intl.DateTimeFormat, {
      construct: () => {
        throw new Error('a formatter was made')
      },
    })
  })
  for (const path of ['/', '/login', '/register', '/demo']) {
    await page.goto(path, { waitUntil: 'networkidle' })
    await expect(page.getByRole('main'), path).toBeVisible()
  }
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

  test('each form explains that it cannot work', async ({ page }) => {
    for (const [path, field, button] of [
      ['/login', 'Email', 'Login'],
      ['/verify?flow=1', 'Code', 'Verify'],
      ['/recovery', 'Email', 'Send me a code'],
    ] as const) {
      await page.goto(path)
      await expect(page.locator('body > noscript')).toBeInViewport()
      await expect(page.getByLabel(field)).toBeVisible()
      await expect(page.getByRole('button', { name: button, exact: true })).toBeDisabled()
    }
  })

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

  test('a form whose scripts fail looks like it', async ({ page }) => {
    await page.route('**/assets/*.js', (route) => route.abort())
    for (const [path, name] of [
      ['/login', 'Login'],
      ['/recovery?flow=1', 'Send me a code'],
    ] as const) {
      await page.goto(path)
      await expect(page.getByLabel('Email')).toBeVisible()
      await expect(page.getByRole('button', { name })).toBeDisabled()
      await expect(page.getByRole('button', { name })).toHaveCSS('opacity', '0.5')
      await expect(page.getByRole('button', { name: 'Show' })).toBeHidden()
    }
  })

  test('no address is asked for where a code may be', async ({ page }) => {
    const scripts = await hold(page, '**/assets/*.js')
    await page.goto('/recovery?flow=1', { waitUntil: 'commit' })
    await expect(heading(page)).toBeVisible()
    await expect(page.getByLabel('Email')).toBeHidden()
    await scripts.release()
    await expect(page.getByText('expired')).toBeVisible()
    await expect(page.getByLabel('Email')).toBeVisible()
  })

  test.describe('with a script that ends with an error', () => {
    test.use({ provoked: /does not provide an export/ })

    test('a form looks like it, also once pressed', async ({ page }) => {
      const failed = Promise.withResolvers<void>()
      await page.route('**/assets/framework*', async (route) => {
        await failed.promise
        await route.fulfill({ contentType: 'text/javascript', body: '' })
      })
      await page.goto('/login', { waitUntil: 'commit' })
      const button = page.getByRole('button', { name: 'Login' })
      await button.click()
      await expect(button).toHaveAttribute('aria-busy', 'true')
      failed.resolve()
      await expect(button).toBeDisabled()
      await expect(button).not.toHaveAttribute('aria-busy')
    })
  })

  for (const way of ['Enter', 'a double click', 'a submission by a password manager'])
    test(`the login carries out ${way}`, async ({ page, account }) => {
      const scripts = await hold(page, '**/assets/*.js')
      await page.goto('/login', { waitUntil: 'commit' })
      const button = page.getByRole('button', { name: 'Login' })
      await expect(button).toBeEnabled()
      await fillIn(page, account)
      if (way === 'Enter') await page.keyboard.press('Enter')
      else if (way === 'a double click') await button.dblclick()
      else await page.locator('main form').evaluate((form: HTMLFormElement) => form.requestSubmit())
      await expect(page.locator('button[aria-busy=true]')).toBeVisible()
      await scripts.release()
      await expect(heading(page)).toHaveText('Dashboard Page')
    })
})

for (const path of few('forms', ['/login', '/register', '/recovery', '/verify?flow=1'], 2)) {
  test(`${path} keeps what is entered while its scripts and its form load`, async ({ page }) => {
    const [scripts, form] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route('**/assets/*.js', (route) => scripts.promise.then(() => route.continue()))
    await page.route('**/self-service/**', (route) => form.promise.then(() => route.continue()))
    await page.goto(path, { waitUntil: 'commit' })
    await expect(heading(page)).toBeVisible()
    // Before it has loaded, fields that it hides count as visible.
    await page.waitForFunction(() => document.styleSheets.length > 0)
    const main = page.getByRole('main')
    const texts = main.locator('input:not([type=checkbox]):visible')
    const boxes = main.locator('input[type=checkbox]:visible')
    const wasChecked = await Promise.all((await boxes.all()).map((box) => box.isChecked()))
    for (const field of await texts.all()) await field.fill('ada@example.com')
    for (const box of await boxes.all()) await box.click()
    scripts.resolve()
    await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
    const unchanged = async () => {
      for (const field of await texts.all()) await expect(field).toHaveValue('ada@example.com')
      for (const [n, box] of (await boxes.all()).entries())
        await expect(box).toBeChecked({ checked: !wasChecked[n] })
    }
    if (await texts.count()) await expect(main.getByRole('button').first()).toBeEnabled()
    await unchanged()
    form.resolve()
    await page.waitForResponse('**/self-service/**')
    await unchanged()
  })
}
