import { expect, test } from '../fixtures.ts'

for (const provider of ['GitHub', 'Google']) {
  test(`the ${provider} button says kindly that it is not set up yet`, async ({ page }) => {
    await page.goto('/login')
    await page.getByLabel('Email').fill('person@example.com')
    await page.getByRole('button', { name: `Sign in with ${provider}` }).click()
    const alert = page.getByRole('alert').filter({ hasText: /./ })
    await expect(alert).toHaveText(`Sign in with ${provider} is not available yet.`)
    await expect(page).toHaveURL('/login')
    await expect(page.getByLabel('Email')).toHaveValue('person@example.com')
    await expect(page.getByRole('button', { name: `Sign in with ${provider}` })).toBeEnabled()
  })
}

test('the browser goes where a provider is, once the service names it', async ({ page, product }) => {
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
