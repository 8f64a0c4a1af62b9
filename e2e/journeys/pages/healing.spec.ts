import { randomUUID } from 'node:crypto'
import { few } from '@ostiary/identity/testing/input/sample'
import type { Page } from '@playwright/test'
import { expireFlow } from '../../kit/database.ts'
import { expect, motion, test } from '../../kit/fixtures.ts'
import { fillIn, heading } from '../../kit/screen.ts'
import { createAccount } from '../../kit/users.ts'

const forms = [
  { kind: 'login', path: '/login', button: 'Login', after: /\/dashboard$/ },
  { kind: 'registration', path: '/register', button: 'Sign up', after: /\/verify\?flow=/ },
] as const

type Form = (typeof forms)[number]

const press = (page: Page, { button }: Form) =>
  page.getByRole('button', { name: button, exact: true }).click()

async function open(page: Page, { kind, path }: Form): Promise<string> {
  const begun = page.waitForResponse((response) => response.url().includes(`/self-service/${kind}/browser`))
  await page.goto(path)
  const { id } = (await (await begun).json()) as { id: string }
  return id
}

function countNewFlows(page: Page, { kind }: Form): () => number {
  let count = 0
  page.on('request', (request) => {
    if (request.url().includes(`/self-service/${kind}/browser`)) count += 1
  })
  return () => count
}

for (const form of few('forms', forms, 1)) {
  test.describe(`the form at ${form.path}`, () => {
    test.beforeEach(async ({ product, user }) => {
      if (form.kind === 'login') await createAccount(product, user)
    })

    test('succeeds without its CSRF cookie', async ({ page, context, user }) => {
      const begun = countNewFlows(page, form)
      await open(page, form)
      await fillIn(page, user)
      await context.clearCookies({ name: /csrf/ })
      await press(page, form)
      await expect(page).toHaveURL(form.after)
      expect(begun()).toBeLessThanOrEqual(3)
    })

    test('succeeds with an expired flow', async ({ page, product, user }) => {
      expireFlow(product, await open(page, form))
      await fillIn(page, user)
      await press(page, form)
      await expect(page).toHaveURL(form.after)
    })

    test('replaces an unknown flow', async ({ page, user }) => {
      const begun = countNewFlows(page, form)
      const unknown = randomUUID()
      await page.goto(`${form.path}?flow=${unknown}`)
      await expect(page).toHaveURL(new RegExp(`${form.path}\\?flow=(?!${unknown})[\\w-]{36}$`))
      await fillIn(page, user)
      await press(page, form)
      await expect(page).toHaveURL(form.after)
      expect(begun()).toBeLessThanOrEqual(2)
    })

    test("replaces another browser's flow", async ({ page, otherBrowser, user }) => {
      const foreign = await open(await otherBrowser.newPage(), form)
      await page.goto(`${form.path}?flow=${foreign}`)
      await expect(page).toHaveURL(new RegExp(`${form.path}\\?flow=(?!${foreign})[\\w-]{36}$`))
      await fillIn(page, user)
      await press(page, form)
      await expect(page).toHaveURL(form.after)
    })
  })
}

test('an unknown verification asks for the address', async ({ page }) => {
  const unknown = randomUUID()
  await page.goto(`/verify?flow=${unknown}`)
  await expect(page).toHaveURL(new RegExp(`/verify\\?flow=(?!${unknown})[\\w-]{36}$`))
  await expect(page.getByText('That page had expired or was opened in another browser.')).toBeVisible()
  await expect(page.getByLabel('Email')).toBeVisible()
})

test.describe('with motion', () => {
  test.use(motion)

  test('only another screen fades in', async ({ page }) => {
    await page.addInitScript(() => {
      const { startViewTransition } = Document.prototype
      Document.prototype.startViewTransition = function (...given) {
        document.documentElement.dataset.fades = String(
          Number(document.documentElement.dataset.fades ?? 0) + 1,
        )
        return startViewTransition.apply(this, given)
      }
    })
    const unknown = randomUUID()
    await page.goto(`/login?flow=${unknown}`)
    await expect(page).toHaveURL(new RegExp(`/login\\?flow=(?!${unknown})[\\w-]{36}$`))
    await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
    await expect(page.locator('html')).not.toHaveAttribute('data-fades')
    await page.getByRole('link', { name: 'Sign up' }).click()
    await expect(heading(page)).toHaveText('Sign up')
    await expect(page.locator('html')).toHaveAttribute('data-fades', '1')
  })

  // On a busy machine, or when another page opens.
  test('an aborted transition causes no error', async ({ page }) => {
    await page.addInitScript(() => {
      const { startViewTransition } = Document.prototype
      Document.prototype.startViewTransition = function (...given) {
        const transition = startViewTransition.apply(this, given)
        document.documentElement.dataset.aborted = 'true'
        transition.skipTransition()
        return transition
      }
    })
    await page.goto('/login')
    await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible()
    await page.getByRole('link', { name: 'Sign up' }).click()
    await expect(heading(page)).toHaveText('Sign up')
    await expect(page.locator('html')).toHaveAttribute('data-aborted', 'true')
  })
})
