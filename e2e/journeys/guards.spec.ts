import { expect, test } from '../fixtures.ts'
import { alert, heading } from '../screen.ts'

test('a visitor who asks for the dashboard is sent home', async ({ page }) => {
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/')
  await expect(heading(page)).toHaveText('Welcome to the Home Page!')
})

test('a visitor who follows the link to the dashboard is sent home', async ({ page }) => {
  await page.goto('/about')
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(page).toHaveURL('/')
})

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

test('until the session is known the dashboard says that it loads the authentication, and shows no content', async ({
  page,
  signedIn: _,
}) => {
  const held = Promise.withResolvers<void>()
  await page.route('**/sessions/whoami*', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto('/dashboard')
  await expect(page.getByText('Loading authentication...')).toBeVisible()
  await expect(page.getByText('Dashboard Page')).toBeHidden()
  await expect(page.getByRole('link', { name: 'Login' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Logout' })).toBeHidden()
  held.resolve()
  await expect(heading(page)).toHaveText('Dashboard Page')
})

test('a session that has ended elsewhere sends the next visit home and clears user_jwt', async ({
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
  test(`${path} is not found, for users and for programs`, async ({ page }) => {
    const response = await page.goto(path)
    expect(response?.status()).toBe(404)
    await expect(heading(page)).toHaveText('404 Not Found')
    await expect(page.getByRole('contentinfo')).toHaveText('© 2024 My App')
  })
}

test('an error of the identity service is a sentence with a next step', async ({ page, product }) => {
  await page.goto('/error?id=00000000-0000-4000-8000-000000000000')
  await expect(alert(page)).toBeVisible()
  await page.getByRole('link', { name: 'Go to sign in' }).click()
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
