import { few } from '@ostiary/identity/testing/input/sample'
import type { Page } from '@playwright/test'
import { setTextSize } from '../../kit/accessibility.ts'
import { repositories } from '../../kit/code-host.ts'
import { expect, test } from '../../kit/fixtures.ts'
import type { ProductAddresses } from '../../kit/product.ts'
import { alert, hold, password } from '../../kit/screen.ts'
import { createAccount, newUser, signIn, type User } from '../../kit/users.ts'

/** Half of the limit that browsers call good (0.1). */
const MAX_SHIFT = 0.05

test.use({ provoked: /Failed to load resource/, viewport: { width: 390, height: 844 } })
test.beforeEach(({ page }) => page.addInitScript(countShifts))

const cards = {
  '/settings': ['Change email', 'Add Name'],
  '/settings/security': ['Change password', 'Set up the authenticator app'],
  '/settings/connections': [],
  '/settings/devices': [],
  '/settings/activity': [],
  '/settings/data': ['Delete account'],
}

test('nothing moves when answers and parts of the account pages arrive late', async ({
  page,
  signedIn: _,
}) => {
  for (const [path, buttons] of Object.entries(cards)) {
    const answers = await hold(page, /self-service|api\/v1/)
    await page.goto(path)
    await expect(page.locator('#main section, #main .animate-wait').first()).toBeVisible()
    // The page itself has loaded. Parts that open on demand are requested from now on.
    const parts = await hold(page, /\/assets\/.*\.js/)
    await painted(page)
    await answers.release()
    const openers = buttons.map((name) => page.getByRole('button', { name, exact: true }))
    for (const opener of openers) await expect(opener).toBeVisible()
    expect(await shifts(page), path).toBeLessThan(MAX_SHIFT)
    // However long the lists are, they cannot push it.
    await expect(page.getByRole('contentinfo')).not.toBeInViewport()
    // Not an input of the user, after which browsers excuse shifts for half a second.
    for (const opener of openers) await opener.evaluate((element: HTMLElement) => element.click())
    await resetShifts(page)
    await parts.release()
    await expect(page.locator('#main .animate-wait')).toHaveCount(0)
    expect(await shifts(page), `${path}, opened`).toBeLessThan(MAX_SHIFT)
  }
})

test('the account pages wait with boxes of the final places and heights', async ({ page, product }) => {
  // A longer address takes two lines on a phone.
  const user = { ...newUser(), email: newUser().email.replace('user-', '') }
  await createAccount(product, user)
  await signIn(page.request, product, user)
  const sizes = [390, 1280].flatMap((width) => [100, 200].map((percent) => ({ width, percent })))
  for (const { width, percent } of few('sizes of cards', sizes, 1)) {
    await page.setViewportSize({ width, height: 844 })
    await setTextSize(page, percent)
    for (const path of Object.keys(cards)) {
      const session = await hold(page, /sessions\/whoami/)
      const answers = await hold(page, /self-service|api\/v1/)
      await page.goto(path)
      const whileChecked = await boxes(page)
      expect(whileChecked.length, path).toBeGreaterThan(0)
      await session.release()
      await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
      const whileLoaded = await boxes(page)
      await answers.release()
      await expect(page.locator('#main .animate-wait')).toHaveCount(0)
      const final = await boxes(page)
      for (const waiting of [whileChecked, whileLoaded])
        expect(distance(waiting, final), `${path} at ${width} px, ${percent} %`).toBeLessThan(8)
    }
  }
})

/** Top and height of each card. Only the top of a list, whose length is unknown before. */
async function boxes(page: Page): Promise<readonly number[]> {
  await painted(page)
  return await page.locator('#main .rounded-card.border').evaluateAll((all) =>
    all.flatMap((element) => {
      const { top, height } = element.getBoundingClientRect()
      return element.matches('.divide-y') ? [top] : [top, height]
    }),
  )
}

function distance(some: readonly number[], others: readonly number[]): number {
  expect(some).toHaveLength(others.length)
  return Math.max(...some.map((one, index) => Math.abs(one - (others[index] ?? 0))))
}

test('bar and heading stay in place when the session arrives', async ({ page, signedIn: _ }) => {
  const places = () =>
    page
      .locator('header nav a, h1')
      .evaluateAll((all) =>
        all.map((element) => [
          element.textContent,
          element.getBoundingClientRect().x,
          element.getBoundingClientRect().y,
        ]),
      )
  for (const width of few('widths of the bar', [390, 1280], 1)) {
    await page.setViewportSize({ width, height: 800 })
    for (const path of ['/', '/dashboard', '/settings', '/settings/security']) {
      const session = await hold(page, /sessions\/whoami/)
      await page.goto(path)
      await painted(page)
      const before = await places()
      await session.release()
      await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible()
      expect(await places(), `${path} at ${width}`).toEqual(before)
    }
  }
})

test('nothing moves in large text when an address leads to another step', async ({ page }) => {
  await setTextSize(page, 200)
  for (const [path, words] of [
    ['/login?aal=aal2', 'Stay logged in for 30 days'],
    ['/verify?flow=unknown', 'Send me a code'],
    ['/recovery?flow=unknown', 'Send me a code'],
    ['/verify', 'Get a new code'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByText(words, { exact: true })).toBeVisible()
    await expect(page).not.toHaveURL(path)
    expect(await shifts(page), path).toBeLessThan(MAX_SHIFT)
  }
})

test('little moves when the service is away', async ({ page }) => {
  for (const path of ['/login', '/register', '/recovery']) {
    await page.route('**/.ory/**', (route) => route.abort())
    await page.goto(path)
    await expect(alert(page)).toBeVisible()
    expect(await shifts(page), path).toBeLessThan(MAX_SHIFT)
  }
})

test('nothing moves when a filter finds no repository', async ({ page, signedIn: _ }) => {
  const [one] = repositories('octocat')
  const json = Array.from({ length: 8 }, (_, id) => ({ ...one, id, name: `repository-${id}` }))
  await page.route('**/api/v1/code-host/**', (route) => route.fulfill({ json }))
  await page.goto('/dashboard')
  await page.getByRole('searchbox', { name: 'Filter by name' }).fill('nothing like it')
  await expect(page.getByRole('button', { name: 'Clear the filter' })).toBeVisible()
  expect(await shifts(page)).toBeLessThan(MAX_SHIFT)
})

test('nothing moves on the admin page, whichever answer arrives first', async ({
  page,
  product,
  signedIn,
}) => {
  await page.route(`${product.admin_url}/metrics`, async (route) => {
    const response = await route.fetch()
    const limits = Array.from({ length: 8 }, (_, n) => `identity_limits_reached_total{limit="${n}"} 1\n`)
    await route.fulfill({ response, body: `${await response.text()}${limits.join('')}` })
  })
  // Recorded, with the names of the accounts.
  for (let count = 0; count < 5; count += 1) await createAccount(product, newUser())
  for (const width of few('widths of the admin page', [390, 1280], 1)) {
    await page.setViewportSize({ width, height: 844 })
    for (const path of ['', 'accounts', `accounts/${await idOf(product, signedIn)}`, 'emails', 'audit']) {
      for (const order of ['first', 'last'] as const) {
        const answers = await holdEach(page, new RegExp(`^${product.admin_url}/(admin|metrics)`))
        await page.goto(`${product.admin_url}/ui/${path}`)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await expect(page.locator('#main .animate-wait').first()).toBeVisible()
        await resetShifts(page)
        await answers.release(order)
        await expect(page.locator('#main .animate-wait')).toHaveCount(0)
        expect(await shifts(page), `/${path} at ${width} px, the ${order} answer first`).toBeLessThan(
          MAX_SHIFT,
        )
      }
    }
  }
})

test('a form keeps its place while its errors are corrected', async ({ page }) => {
  for (const width of few('widths of a form', [320, 1280], 1)) {
    await page.setViewportSize({ width, height: 844 })
    for (const [path, name] of [
      ['/login', 'Login'],
      ['/register', 'Sign up'],
    ] as const) {
      await page.goto(path)
      const button = page.getByRole('button', { name, exact: true })
      await button.click()
      await expect(page.getByRole('region', { name: '2 fields to correct:' })).toBeFocused()
      const places = () => Promise.all([password(page), button].map((part) => part.boundingBox()))
      const before = await places()
      await page.getByLabel('Email').pressSequentially('ada@example.com')
      expect(await places(), `${path} at ${width} px, email`).toEqual(before)
      await password(page).pressSequentially('three quiet words')
      expect(await places(), `${path} at ${width} px, password`).toEqual(before)
      await expect(page.getByRole('region', { name: /to correct/ })).toBeHidden()
      // The next visit would find the address.
      await page.evaluate(() => sessionStorage.clear())
    }
  }
})

test('nothing moves when a page opens the panel of the demo', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  for (const path of ['/login', '/demo']) {
    const late = await hold(page, /\/demo\/api\//)
    await page.goto(`${path}#demo=wire`)
    await expect(page.getByRole('button', { name: 'Close' })).toBeVisible()
    await late.release()
    expect(await shifts(page), path).toBeLessThan(MAX_SHIFT)
  }
})

/** Releases the answers one after another, each once the page has shown the one before. */
async function holdEach(page: Page, pattern: RegExp) {
  const held: { readonly url: string; release(): void }[] = []
  await page.route(pattern, async (route) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    held.push({ url: route.request().url(), release: resolve })
    await promise
    await route.fallback()
  })
  return {
    async release(order: 'first' | 'last') {
      while (held.length > 0) {
        const one = order === 'first' ? held.shift() : held.pop()
        const answer = page.waitForResponse((response) => response.url() === one?.url)
        one?.release()
        await (await answer).finished()
        await painted(page)
      }
      await page.unroute(pattern)
    },
  }
}

async function idOf({ admin_url }: ProductAddresses, { email }: User): Promise<string> {
  const response = await fetch(`${admin_url}/admin/identities?credentials_identifier=${email}`)
  const [{ id }] = (await response.json()) as [{ id: string }]
  return id
}

interface Counted {
  shift: number
}

function countShifts(): void {
  const counted = globalThis as unknown as Counted
  counted.shift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number
      hadRecentInput: boolean
    })[])
      if (!entry.hadRecentInput) counted.shift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Two frames: the first one may be drawn already. */
async function painted(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))),
  )
}

async function shifts(page: Page): Promise<number> {
  await painted(page)
  return await page.evaluate(() => (globalThis as unknown as Counted).shift)
}

async function resetShifts(page: Page): Promise<void> {
  await shifts(page)
  await page.evaluate(() => {
    Object.assign(globalThis, { shift: 0 })
  })
}
