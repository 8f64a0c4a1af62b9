// biome-ignore-all lint/correctness/noEmptyPattern: Playwright reads from the first parameter what a fixture needs
import type { BrowserContext } from '@playwright/test'
import { test as base, expect } from '@playwright/test'
import type { CodeHostAddresses } from './code-host.ts'
import type { Inbox } from './inbox.ts'
import { inboxOf } from './inbox.ts'
import type { OtherPages, Ways } from './other-pages.ts'
import { startOtherPages } from './other-pages.ts'
import type { OtherService } from './other-service.ts'
import { startOtherService } from './other-service.ts'
import type { Product, ProductAddresses } from './product.ts'
import { readShared, startProduct } from './product.ts'
import type { User } from './users.ts'
import { createAccount, newUser, register, signIn } from './users.ts'
import { watch } from './watch.ts'

interface RegisteredUser extends User {
  /** The id of the verification flow that follows the registration. */
  readonly verification: string
}

interface Fixtures {
  /** Console lines that a journey causes on purpose; any other error fails it. */
  provoked: RegExp
  product: ProductAddresses
  codeHost: CodeHostAddresses
  inbox: Inbox
  /** A user without an account. */
  user: User
  /** A user who has just registered in the journey's browser, and has not verified the email. */
  registered: RegisteredUser
  /** A user with a verified account. */
  account: User
  /** The same, already signed in in the journey's browser. */
  signedIn: User
  /** Starts a product with other settings, which ends with the journey. */
  start: typeof startProduct
  /** Starts a product whose identity service is another process, and that one; both end with the journey. */
  startWithOther(): Promise<{ product: Product; other: OtherService }>
  /** Another browser, without the cookies of the first. */
  otherBrowser: BrowserContext
}

interface WorkerFixtures {
  /** Pages of another project: those of a kind are the same for all journeys of a worker. */
  pagesFor(ways: Ways): Promise<OtherPages>
}

/** Milliseconds that starting a server may take on a busy machine. */
const startMs = 120_000

export const test = base.extend<Fixtures, WorkerFixtures>({
  provoked: [/^$/, { option: true }],
  product: async ({}, use) => use(readShared().product),
  codeHost: async ({}, use) => use(readShared().codeHost),
  baseURL: async ({ product }, use) => use(product.url),
  context: async ({ context, provoked }, use) => {
    const found = await watch(context, provoked)
    await use(context)
    expect(found, 'console errors and policy violations').toEqual([])
  },
  page: async ({ page }, use) => {
    await use(page)
    // Requests that are still in a handler of the journey are ignored.
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' })
  },
  otherBrowser: async ({ browser, product, provoked }, use) => {
    const context = await browser.newContext({ baseURL: product.url, locale: 'en-GB' })
    const found = await watch(context, provoked)
    await use(context)
    expect(found, 'console errors and policy violations').toEqual([])
    await context.close()
  },
  inbox: async ({ product }, use) => use(inboxOf(product)),
  user: async ({}, use) => use(newUser()),
  registered: async ({ product, user, context }, use) => {
    await use({ ...user, verification: await register(context.request, product, user) })
  },
  account: async ({ product, user }, use) => {
    await createAccount(product, user)
    await use(user)
  },
  signedIn: async ({ product, account, context }, use) => {
    await signIn(context.request, product, account)
    await use(account)
  },
  start: async ({ context }, use, testInfo) => {
    const started: Product[] = []
    await use(async (settings) => {
      testInfo.setTimeout(testInfo.timeout + startMs)
      const product = await startProduct(settings)
      started.push(product)
      return product
    })
    await closePages(context)
    await Promise.all(started.map((product) => product.stop()))
  },
  startWithOther: async ({ codeHost, context, start }, use) => {
    const others: OtherService[] = []
    await use(async () => {
      const product = await start(async (url) => {
        const other = await startOtherService(url)
        others.push(other)
        return { IDENTITY_URL: other.url, CODE_HOST_URL: codeHost.list }
      })
      return { product, other: others[0]! }
    })
    await closePages(context)
    await Promise.all(others.map((other) => other.stop()))
  },
  pagesFor: [
    async ({}, use) => {
      const started = new Map<Ways, Promise<OtherPages>>()
      await use((ways) => {
        const pages = started.get(ways) ?? startOtherPages(ways)
        started.set(ways, pages)
        return pages
      })
      for (const pages of started.values()) await (await pages).stop()
    },
    { scope: 'worker', timeout: startMs },
  ],
})

/** A page that is still open would report that its server is gone. */
async function closePages(context: BrowserContext): Promise<void> {
  await Promise.all(context.pages().map((page) => page.close()))
}

export { expect }
