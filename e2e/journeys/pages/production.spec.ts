import { expect, test } from '../../kit/fixtures.ts'
import { fillIn, heading } from '../../kit/screen.ts'
import { createAccount, newUser, signIn } from '../../kit/users.ts'

// Serial, with one product for all.
test.describe.configure({ mode: 'default' })

const settings = { NODE_ENV: 'production', DRAIN_MS: '0' }

const demoPaths = [
  '/demo',
  '/demo/inbox',
  '/demo/emails',
  '/demo/api/changes',
  '/demo/api/emails',
  '/demo/api/mails',
  '/demo/api/wire',
  '/demo/api/people',
  '/demo/api/switches',
  '/demo/mails/1',
  '/demo-pages.html',
  '/demo/consent',
  '/demo-provider.html',
  '/demo/providers/github/.well-known/openid-configuration',
  '/demo/providers/google/auth?client_id=demo',
  '/demo/api/consent/github/1',
]

test.describe('in production', () => {
  test.use({ provoked: /^Failed to load resource: the server responded with a status of 502/ })

  test('SEC-55: demo and admin page are unreachable', async ({ page, productWith }) => {
    const product = await productWith(settings)
    for (const path of demoPaths) {
      const response = await page.request.get(product.url + path)
      expect({ path, status: response.status() }).toEqual({ path, status: 404 })
    }
    for (const path of ['/', '/ui', '/ui/', '/ui/theme.js'])
      expect((await page.request.get(product.admin_url + path)).status(), path).toBe(404)
    const shown = await page.goto(`${product.url}/demo/inbox`)
    expect(shown?.status()).toBe(404)
    await expect(heading(page)).toHaveText('404 Not Found')

    const providers = page.getByRole('button', { name: /Sign (in|up) with (GitHub|Google)/ })
    const scripts = Promise.withResolvers<void>()
    await page.route('**/assets/*.js', (route) => scripts.promise.then(() => route.continue()))
    for (const path of ['/register', '/login']) {
      await page.goto(product.url + path, { waitUntil: 'commit' })
      await expect(heading(page)).toBeVisible()
      await expect(providers).toHaveCount(0)
    }
    scripts.resolve()
    await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeEnabled()
    await expect(providers).toHaveCount(0)

    const user = newUser()
    await page.goto(`${product.url}/register`)
    await fillIn(page, user)
    await page.getByRole('button', { name: 'Sign up', exact: true }).click()
    await expect(heading(page)).toHaveText('Verify your email')
    await expect(page.getByLabel('Code')).toBeVisible()
    await expect(page.getByText(/demo/i)).toHaveCount(0)
    expect(product.output()).not.toMatch(/inbox/i)
  })

  test('the dashboard shows the specified error with a retry button while GitHub is down', async ({
    page,
    productWith,
    user,
  }) => {
    const product = await productWith(settings)
    await createAccount(product, user)
    await signIn(page.context().request, product, user)
    await page.goto(`${product.url}/dashboard`)
    await expect(page.getByText(/^Error loading repositories: ./)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
    await expect(page.getByText('sample')).toHaveCount(0)
  })
})
