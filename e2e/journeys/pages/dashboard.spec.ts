import { few } from '@ostiary/identity/testing/input/sample'
import { type CodeHost, repositories, startCodeHost } from '../../kit/code-host.ts'
import { expect, test } from '../../kit/fixtures.ts'
import { createAccount, signIn } from '../../kit/users.ts'

let codeHost: CodeHost

test.beforeAll(async () => {
  codeHost = await startCodeHost()
})
test.afterAll(() => codeHost.stop())

test('each repository shows name, stars and description', async ({ page, start, user }) => {
  const product = await start({ CODE_HOST_URL: codeHost.list })
  await createAccount(product, user)
  await signIn(page.context().request, product, user)
  await page.goto(`${product.url}/dashboard`)
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

test('the filter and the order are there again on the way back, and after a reload', async ({
  page,
  signedIn: _,
}) => {
  const [one] = repositories('octocat')
  const json = Array.from({ length: 8 }, (_, id) => ({
    ...one,
    id,
    name: `${id % 2 ? 'odd' : 'even'}-${id}`,
  }))
  await page.route('**/api/v1/code-host/**', (route) => route.fulfill({ json }))
  await page.goto('/dashboard')
  const filter = page.getByRole('searchbox', { name: 'Filter by name' })
  const order = page.getByRole('combobox', { name: 'Sort by' })
  await filter.pressSequentially('odd')
  await order.selectOption('Name')
  const links = page.getByRole('navigation', { name: 'Main' })
  const assertKept = async () => {
    await expect(filter).toHaveValue('odd')
    await expect(order).toHaveValue('name')
    await expect(page.getByText(/^4 of 8 public repositories/)).toBeVisible()
  }
  await links.getByRole('link', { name: 'About' }).click()
  await expect(page).toHaveURL('/about')
  await page.goBack()
  await assertKept()
  await page.reload()
  await assertKept()
  // Typing adds no history entries, and a link to the page clears the filter.
  await links.getByRole('link', { name: 'Dashboard' }).click()
  await expect(filter).toHaveValue('')
  await expect(page.getByText(/^8 public repositories/)).toBeVisible()
  await page.goBack()
  await assertKept()
})

test('typing into the filter changes the address once it pauses: Safari allows 100 changes in 30 seconds', async ({
  page,
  signedIn: _,
}) => {
  const [one] = repositories('octocat')
  const json = Array.from({ length: 8 }, (_, id) => ({ ...one, id, name: `repository-${id}` }))
  await page.route('**/api/v1/code-host/**', (route) => route.fulfill({ json }))
  await page.goto('/dashboard')
  const filter = page.getByRole('searchbox', { name: 'Filter by name' })
  await expect(filter).toBeVisible()
  await page.evaluate(() => {
    const replaceState = history.replaceState.bind(history)
    history.replaceState = (...given) => {
      const { dataset } = document.documentElement
      dataset.changes = `${Number(dataset.changes ?? 0) + 1}`
      replaceState(...given)
    }
  })
  const words = 'a long name that no repository has'
  await filter.pressSequentially(words)
  await expect(page).toHaveURL((url) => url.searchParams.get('filter') === words)
  const changes = await page.evaluate(() => Number(document.documentElement.dataset.changes))
  expect(changes).toBeLessThan(words.length / 3)
})

for (const state of few('states', ['down', 'error'] as const, 1)) {
  test(`the demo shows a list marked as a sample when GitHub is in the state "${state}"`, async ({
    page,
    start,
    user,
  }) => {
    const product = await start({ CODE_HOST_URL: codeHost[state] })
    await createAccount(product, user)
    await signIn(page.context().request, product, user)
    await page.goto(`${product.url}/dashboard`)
    await expect(page.getByText('Demo: sample of Aug 24, 2026')).toBeVisible()
    await expect(page.getByRole('link', { name: /^Spoon-Knife/ })).toBeVisible()
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Most stars')
    await expect(page.getByRole('main').getByRole('listitem').first()).toContainText('Spoon-Knife')
  })
}
