// biome-ignore-all lint/correctness/noEmptyPattern: Playwright reads from the first parameter what a fixture needs
import { watch } from '@ostiary/server/testing/watch'
import { type BrowserContext, test as base, expect } from '@playwright/test'
import { startCodeHost } from './code-host.ts'
import { type Inbox, inboxOf } from './inbox.ts'
import { type OtherPages, startOtherPages, type Ways } from './other-pages.ts'
import { type AddedTraits, type OtherService, startOtherService } from './other-service.ts'
import type { Product, ProductAddresses, ProductSettings } from './product.ts'
import { readShared, startProduct } from './product.ts'
import { createAccount, newUser, register, signIn, type User } from './users.ts'

interface RegisteredUser extends User {
  readonly verification: string
}

interface Fixtures {
  provoked: RegExp
  product: ProductAddresses
  inbox: Inbox
  user: User
  registered: RegisteredUser
  /** Verified. */
  account: User
  signedIn: User
  start: typeof startProduct
  otherBrowser: BrowserContext
}

interface WithOther {
  readonly product: Product
  readonly other: OtherService
}

/** Once per worker. Journeys with one of these are in one file, with the mode "default". */
interface WorkerFixtures {
  productWith(settings: ProductSettings): Promise<Product>
  productWithOther(traits?: AddedTraits): Promise<WithOther>
  pagesFor(ways: Ways): Promise<OtherPages>
}

const startMs = 120_000

export const test = base.extend<Fixtures, WorkerFixtures>({
  provoked: [/^$/, { option: true }],
  product: async ({}, use) => use(readShared()),
  baseURL: async ({ product }, use) => use(product.url),
  context: async ({ context, provoked }, use) => {
    const found = await watch(context, provoked)
    await use(context)
    expect(found, 'console errors and policy violations').toEqual([])
  },
  page: async ({ page }, use) => {
    await use(page)
    if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' })
  },
  otherBrowser: async ({ browser, product, provoked, locale }, use) => {
    const context = await browser.newContext({ baseURL: product.url, locale })
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
    const startedProducts: Product[] = []
    await use(async (settings) => {
      testInfo.setTimeout(testInfo.timeout + startMs)
      const product = await startProduct(settings)
      startedProducts.push(product)
      return product
    })
    await closePages(context)
    await Promise.all(startedProducts.map((product) => product.stop()))
  },
  productWith: [
    async ({}, use) => useOnce(use, (settings: ProductSettings) => startProduct(settings)),
    { scope: 'worker', timeout: startMs },
  ],
  productWithOther: [async ({}, use) => useOnce(use, startWithOther), { scope: 'worker', timeout: startMs }],
  pagesFor: [
    async ({}, use) => useOnce(use, (ways: Ways) => startOtherPages(ways)),
    { scope: 'worker', timeout: startMs },
  ],
})

interface Stoppable {
  stop(): Promise<void>
}

async function useOnce<Given extends readonly unknown[], Started extends Stoppable>(
  use: (start: (...given: Given) => Promise<Started>) => Promise<void>,
  start: (...given: Given) => Promise<Started>,
): Promise<void> {
  const started = new Map<string, Promise<Started>>()
  await use((...given) => {
    const key = JSON.stringify(given)
    const one = started.get(key) ?? start(...given)
    started.set(key, one)
    return one
  })
  for (const one of started.values()) await (await one).stop()
}

async function startWithOther(traits?: AddedTraits): Promise<WithOther & Stoppable> {
  let other: OtherService | undefined
  const codeHost = await startCodeHost()
  const product = await startProduct(async (url) => {
    other = await startOtherService(url, traits)
    return {
      IDENTITY_URL: other.url,
      CODE_HOST_URL: codeHost.list,
    }
  })
  return {
    product,
    other: other!,
    async stop() {
      await product.stop()
      await other?.stop()
      await codeHost.stop()
    },
  }
}

export const motion = { contextOptions: { reducedMotion: 'no-preference' } } as const

/** An open page would report that its server is gone. */
async function closePages(context: BrowserContext): Promise<void> {
  await Promise.all(context.pages().map((page) => page.close()))
}

export { expect }
