import type { Page } from '@playwright/test'
import { expect, test } from '../../kit/fixtures.ts'
import type { Product } from '../../kit/product.ts'
import type { User } from '../../kit/users.ts'
import { createAccount, signIn } from '../../kit/users.ts'

async function openDashboard(page: Page, product: Product, user: User): Promise<void> {
  await createAccount(product, user)
  await signIn(page.context().request, product, user)
  await page.goto(`${product.url}/dashboard`)
}

test('each repository shows its name as a link to a new tab, its stars, and its description if it has one', async ({
  page,
  signedIn: _,
}) => {
  await page.goto('/dashboard')
  const rows = page.getByRole('region', { name: 'Repositories of octocat' }).getByRole('listitem')
  await expect(rows).toHaveCount(3)
  const first = rows.first()
  const link = first.getByRole('link', { name: /^hello-world/ })
  await expect(link).toHaveAttribute('href', 'https://github.com/octocat/hello-world')
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('rel', /noopener/)
  await expect(first).toContainText('2,745 stars')
  await expect(first).toContainText('A first repository.')
  await expect(rows.nth(1)).toContainText('0 stars')
  await expect(rows.nth(1).getByRole('paragraph')).toHaveCount(0)
  await expect(page.getByText(/Demo:|GitHub does not answer/)).toHaveCount(0)
})

test('a slow list shows the specified loading text', async ({ page, signedIn: _ }) => {
  const held = Promise.withResolvers<void>()
  await page.route('**/api/v1/code-host/**', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto('/dashboard')
  await expect(page.getByText('Loading GitHub repositories for octocat...')).toBeVisible()
  held.resolve()
  await expect(page.getByRole('link', { name: /^hello-world/ })).toBeVisible()
  await expect(page.getByText('Loading GitHub repositories for octocat...')).toBeHidden()
})

test('an empty list names the user', async ({ page, start, codeHost, user }) => {
  const product = await start({ CODE_HOST_URL: codeHost.empty, DASHBOARD_USER: 'another-user' })
  await openDashboard(page, product, user)
  await expect(page.getByText('No repositories found for another-user.')).toBeVisible()
})

for (const mode of ['down', 'error'] as const) {
  test.describe(`when GitHub is in the state "${mode}"`, () => {
    test('the demo shows a list marked as a sample', async ({ page, start, codeHost, user }) => {
      const product = await start({ CODE_HOST_URL: codeHost[mode] })
      await openDashboard(page, product, user)
      await expect(page.getByText('Demo: GitHub cannot be reached, so this is a sample list.')).toBeVisible()
      await expect(page.getByRole('link', { name: /^sample-notes/ })).toBeVisible()
    })

    test.describe('outside the demo', () => {
      test.use({ provoked: /^Failed to load resource: the server responded with a status of 502/ })

      test('the specified error is shown with a retry button', async ({ page, start, codeHost, user }) => {
        const product = await start({
          CODE_HOST_URL: codeHost[mode],
          NODE_ENV: 'production',
          DRAIN_MS: '0',
        })
        await openDashboard(page, product, user)
        await expect(page.getByText(/^Error loading repositories: ./)).toBeVisible()
        await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
        await expect(page.getByText('sample')).toHaveCount(0)
      })
    })
  })
}

test.describe('when the product backend fails', () => {
  test.use({ provoked: /^Failed to load resource: / })

  test('the list is requested four times, then the error stays until it returns', async ({
    page,
    signedIn: _,
  }) => {
    let calls = 0
    let isUp = false
    await page.clock.install()
    await page.route('**/api/v1/code-host/**', async (route) => {
      calls += 1
      if (isUp) return await route.continue()
      await route.abort('connectionrefused')
    })
    await page.goto('/dashboard')
    for (const seconds of [1, 2, 4]) {
      await expect(page.getByText('Loading GitHub repositories for octocat...')).toBeVisible()
      await page.clock.fastForward(seconds * 1000)
    }
    await expect(page.getByText('Error loading repositories: The server did not answer.')).toBeVisible()
    expect(calls).toBe(4)
    isUp = true
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('link', { name: /^hello-world/ })).toBeVisible()
  })
})
