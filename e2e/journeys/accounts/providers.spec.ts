import { expect, test } from '../../kit/fixtures.ts'
import { alert } from '../../kit/screen.ts'

for (const provider of ['GitHub', 'Google']) {
  test(`the ${provider} button says that it is not configured yet`, async ({ page }) => {
    // The response of a service without that provider.
    await page.route('**/self-service/login?flow=*', (route) =>
      route.fulfill({ status: 404, json: { error: { code: 404, message: 'no such provider' } } }),
    )
    await page.goto('/login')
    await page.getByLabel('Email').fill('user@example.com')
    await page.getByRole('button', { name: `Sign in with ${provider}` }).click()
    await expect(alert(page)).toHaveText(`Sign in with ${provider} is not available yet.`)
    await expect(page).toHaveURL('/login')
    await expect(page.getByLabel('Email')).toHaveValue('user@example.com')
    await expect(page.getByRole('button', { name: `Sign in with ${provider}` })).toBeEnabled()
  })
}

test.describe('a provider', () => {
  test.use({ provoked: /status of 502/ })

  test('that is down is named, and the password form still works', async ({ page }) => {
    const reason = 'GitHub could not be reached.'
    await page.route('**/self-service/login?flow=*', (route) =>
      route.fulfill({ status: 502, json: { error: { id: 'upstream_error', code: 502, reason } } }),
    )
    await page.goto('/login')
    await page.getByRole('button', { name: 'Sign in with GitHub' }).click()
    await expect(alert(page)).toHaveText(reason)
    await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeEnabled()
  })
})

test('the browser is redirected to the provider named by the service', async ({ page, product }) => {
  await page.route('**/self-service/login?flow=*', async (route) => {
    expect(route.request().postDataJSON()).toMatchObject({ method: 'oidc', provider: 'github' })
    const error = { id: 'browser_location_change_required', code: 422, status: 'Unprocessable Entity' }
    const redirect_browser_to = `${product.url}/about?from=provider`
    await route.fulfill({ status: 422, json: { error, redirect_browser_to } })
  })
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign in with GitHub' }).click()
  await expect(page).toHaveURL('/about?from=provider')
})
