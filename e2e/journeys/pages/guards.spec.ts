import { footer } from '../../../app.config.ts'
import { expect, test } from '../../kit/fixtures.ts'
import { alert, heading } from '../../kit/screen.ts'

const why = 'Log in to see the dashboard'

test('a visitor who asks for the dashboard is redirected home by the server, and learns why', async ({
  page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/')
  await expect(heading(page)).toHaveText('Welcome to the Home Page!')
  await expect(page.getByText(why)).toBeVisible()
  expect(asked.filter((url) => url.includes('/.ory/'))).toEqual([])
  await page.goto('/')
  await expect(heading(page)).toBeVisible()
  await expect(page.getByText(why)).toBeHidden()
})

test('a redirected visitor learns why in the first paint, before scripts load', async ({ page }) => {
  await page.route('**/assets/*.js', () => {})
  await page.goto('/dashboard', { waitUntil: 'commit' })
  await expect(page.getByText(why)).toBeInViewport()
  await expect(page.getByRole('banner')).toBeInViewport()
})

for (const path of ['/dashboard', '/settings']) {
  test(`the reason stays and nothing moves while the page of a visitor who asked for ${path} starts`, async ({
    page,
  }) => {
    await page.addInitScript(() => {
      const seen = new Set<string>()
      Object.assign(window, { seen })
      const look = () => {
        const top = document.querySelector('h1')?.getBoundingClientRect().top
        const reason = [...document.querySelectorAll('p[role=status]')].some(
          (one) => one.textContent.startsWith('Log in to') && one.checkVisibility(),
        )
        if (top !== undefined) seen.add(`${top} ${reason}`)
        requestAnimationFrame(look)
      }
      look()
    })
    await page.goto(path)
    await expect(page).toHaveURL(/\/(login)?$/)
    await expect(page.locator('html')).not.toHaveAttribute('data-redirected')
    const seen = await page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen])
    expect(seen).toEqual([expect.stringMatching(/ true$/)])
  })
}

test('the page stays until the screen behind the dashboard link is loaded', async ({ page }) => {
  const held = Promise.withResolvers<void>()
  await page.route('**/assets/home*', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto('/about')
  await expect(heading(page)).toHaveText('About Us')
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(page.getByRole('progressbar', { name: 'Loading' })).toBeVisible()
  await expect(heading(page)).toHaveText('About Us')
  held.resolve()
  await expect(heading(page)).toHaveText('Welcome to the Home Page!')
  await expect(page).toHaveURL('/')
  await expect(page.getByText(why)).toBeVisible()
})

test('a visitor who follows the link to the dashboard is sent home and learns why', async ({ page }) => {
  await page.goto('/about')
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByText(why)).toBeVisible()
})

test('a visitor with an invalid session cookie is sent home and learns why', async ({
  page,
  context,
  product,
}) => {
  await context.addCookies([{ name: 'preferences', value: 'x', url: product.url }])
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/')
  await expect(page.getByText(why)).toBeVisible()
})

test('a visitor who asks for a page of the account signs in first and arrives there', async ({
  page,
  account,
}) => {
  await page.goto('/settings/devices')
  await expect(page).toHaveURL('/login')
  await expect(page.getByText('Log in to continue.')).toBeVisible()
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/settings/devices')
  await expect(heading(page)).toHaveText('Devices')
})

for (const target of ['//evil.example', '/settings/../evil', '/dashboard', 'https://evil.example']) {
  test(`SEC-31 a link to the sign-in page that names ${target} leads to the dashboard`, async ({
    page,
    account,
  }) => {
    await page.goto(`/login#${target}`)
    await expect(page.getByText('Log in to continue.')).toBeHidden()
    await page.getByLabel('Email').fill(account.email)
    await page.getByLabel('Password', { exact: true }).fill(account.password)
    await page.keyboard.press('Enter')
    await expect(heading(page)).toHaveText('Dashboard Page')
  })
}

test('a verification without a flow is sent home', async ({ page }) => {
  await page.goto('/verify')
  await expect(page).toHaveURL('/')
})

for (const path of ['/login', '/register']) {
  test(`a signed-in user goes from ${path} to the dashboard`, async ({ page, signedIn: _ }) => {
    await page.goto(path)
    await expect(page).toHaveURL('/dashboard')
    await expect(heading(page)).toHaveText('Dashboard Page')
  })
}

test('the dashboard shows no content until the session is known', async ({ page, signedIn: _ }) => {
  const held = Promise.withResolvers<void>()
  await page.route('**/sessions/whoami*', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto('/dashboard')
  await expect(page.getByText('Loading authentication...')).toBeVisible()
  await expect(page.getByText('Dashboard Page')).toBeHidden()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Logout' })).toBeHidden()
  held.resolve()
  await expect(heading(page)).toHaveText('Dashboard Page')
})

test('a session that ended elsewhere redirects home and clears user_jwt', async ({
  page,
  context,
  signedIn: _,
}) => {
  await page.goto('/dashboard')
  await expect(heading(page)).toHaveText('Dashboard Page')
  await context.clearCookies({ name: /session/ })
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/')
  const names = (await context.cookies()).map(({ name }) => name)
  expect(names).not.toContain('user_jwt')
})

for (const path of ['/nowhere', '/dashboard/more', '/login/x', '/LOGIN']) {
  test(`${path} is 404 for users and programs`, async ({ page }) => {
    const response = await page.goto(path)
    expect(response?.status()).toBe(404)
    await expect(heading(page)).toHaveText('404 Not Found')
    await expect(page.getByRole('contentinfo')).toHaveText(footer)
  })
}

test('an error of the identity service is explained with a next step', async ({ page, product }) => {
  await page.goto('/error?id=00000000-0000-4000-8000-000000000000')
  await expect(alert(page)).toBeVisible()
  await page.getByRole('link', { name: 'Go to Login' }).click()
  await expect(page).toHaveURL(`${product.url}/login`)
})

test('the product backend answers 401 as JSON without a session, and never redirects', async ({
  request,
}) => {
  for (const path of ['/api/v1/cash/protected_user', '/api/v1/cash/protected']) {
    const response = await request.get(path, { maxRedirects: 0 })
    expect(response.status()).toBe(401)
    expect(await response.json()).toMatchObject({ error: { code: 'unauthorized', status: 401 } })
  }
})

test('the product backend lists the repositories for a session and for its token', async ({
  page,
  signedIn: _,
}) => {
  const asked = page.waitForResponse('**/api/v1/cash/protected_user')
  await page.goto('/dashboard')
  expect((await asked).status()).toBe(200)
  for (const path of ['/api/v1/cash/protected_user', '/api/v1/cash/protected']) {
    const response = await page.request.get(path)
    expect(response.status()).toBe(200)
    expect(await response.json()).toContainEqual(expect.objectContaining({ name: 'hello-world' }))
  }
})
