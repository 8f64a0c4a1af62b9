import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import {
  type APIRequestContext,
  type APIResponse,
  test as base,
  expect,
  type Page,
  type Route,
} from '@playwright/test'
import type { AxeResults } from 'axe-core'
import { admin_url, url } from './config.ts'
import { type AccountSchema, sampleTraits } from './sample-traits.ts'
import { watch } from './watch.ts'

export { journeysIn } from './config.ts'

interface Account extends AccountSchema {
  readonly password: { readonly minLength: number }
}

/**
 * Users, steps and checks for journeys through a product. They find controls by name instead of by label, so that a
 * product may change any sentence.
 *
 * @param account the traits, and the length of passwords, of `app.config.ts`
 * @example export const { test, expect, logIn } = defineKit(config)
 */
export function defineKit(account: Account) {
  return {
    test: defineTest(account),
    expect,
    logIn,
    logOut,
    /** Fills in and submits the form of `/register`. */
    register: (page: Page, user: User) => register(page, user, account),
    verify,
    /** Creates a verified account, with roles such as `editor`. */
    createAccount: (request: APIRequestContext, user: User, roles: readonly string[] = []) =>
      createAccount(request, user, roles, account),
    post,
    codeFor,
    expectAccessible,
  }
}

export interface User {
  readonly email: string
  readonly password: string
}

interface Fixtures {
  /** Console errors that a journey provokes. */
  readonly provoked: RegExp
  readonly user: User
  /** Whose session the page has. */
  readonly signedIn: User
}

/** A console error or a policy violation fails a test. */
const defineTest = (account: Account) =>
  base.extend<Fixtures>({
    provoked: [/^$/, { option: true }],
    context: async ({ context, provoked }, use) => {
      await context.route(isOtherHost, answerEmpty)
      const problems = await watch(context, provoked)
      await use(context)
      expect(problems, 'console errors and policy violations').toEqual([])
    },
    user: ({ page: _ }, use) =>
      use({
        email: `user-${randomUUID().slice(0, 8)}@example.com`,
        password: 'three quiet words'.padEnd(account.password.minLength, 's'),
      }),
    signedIn: async ({ page, user }, use) => {
      await createAccount(page.request, user, [], account)
      await page.goto('/login')
      await logIn(page, user)
      await expect(logoutButton(page)).toBeVisible()
      await use(user)
    },
  })

function isOtherHost({ hostname }: URL): boolean {
  return !/^(.+\.)?localhost$|^127\.|^\[::1\]$/.test(hostname)
}

const EMPTY: Readonly<Record<string, { contentType: string; body: string }>> = {
  script: { contentType: 'text/javascript', body: '' },
  stylesheet: { contentType: 'text/css', body: '' },
  document: { contentType: 'text/html', body: '' },
}

/** Another host may be down, or count the visits. A journey's own route comes first. */
async function answerEmpty(route: Route): Promise<void> {
  const request = route.request()
  const { origin = '*' } = request.headers()
  const headers = { 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' }
  const empty = EMPTY[request.resourceType()] ?? { contentType: 'application/json', body: '{}' }
  await route.fulfill({ ...empty, headers })
}

async function logIn(page: Page, { email, password }: User): Promise<void> {
  const form = passwordForm(page)
  // The latter in a form of the product's own markup.
  await form.locator('[name=email], [name=identifier], [name="traits.email"]').fill(email)
  await form.locator('[name=password]').fill(password)
  await page.keyboard.press('Enter')
}

const passwordForm = (page: Page) => page.locator('form', { has: page.locator('[name=password]') })

const logoutButton = (page: Page) => page.locator('button[name=logout]')

async function logOut(page: Page): Promise<void> {
  await logoutButton(page).click()
  await expect(page).toHaveURL('/')
}

async function register(page: Page, user: User, account: Account): Promise<void> {
  const { email: _, ...samples } = sampleTraits(account, user.email)
  for (const [name, sample] of Object.entries(samples)) {
    const field = passwordForm(page).locator(`[name="traits.${name}"]`)
    if (sample === true) await field.check()
    else if (account.traits[name]?.enum) await field.selectOption(`${sample}`)
    else await field.fill(`${sample}`)
  }
  await logIn(page, user)
}

/** Enters the emailed code on the page that follows `register`, and opens the login. */
async function verify(page: Page, { email }: User): Promise<void> {
  const field = page.locator('[name=code]')
  await field.fill(await codeFor(page.request, email))
  await page.keyboard.press('Enter')
  await expect(field).toBeHidden()
  await page.getByRole('main').getByRole('link').click()
}

async function createAccount(
  request: APIRequestContext,
  { email, password }: User,
  roles: readonly string[],
  account: Account,
): Promise<void> {
  const data = {
    schema_id: 'person',
    traits: sampleTraits(account, email),
    metadata_public: { roles },
    credentials: { password: { config: { password } } },
    verifiable_addresses: [{ value: email, via: 'email', verified: true, status: 'completed' }],
  }
  const response = await request.post(`${admin_url}/admin/identities`, { data })
  expect(response.status(), await response.text()).toBe(201)
}

/** Posts to the API as the user of the page; the API refuses other sites. */
async function post(page: Page, path: string, data: object): Promise<APIResponse> {
  return await page.request.post(path, { data, headers: { Origin: url } })
}

/** The newest emailed code. */
async function codeFor(request: APIRequestContext, email: string): Promise<string> {
  let code = ''
  await expect
    .poll(async () => {
      const response = await request.get(`${url}/demo/api/mails`)
      const { mails } = (await response.json()) as { mails: { recipient: string; code?: string }[] }
      code = mails.find((mail) => mail.recipient === email && mail.code)?.code ?? ''
      return code
    })
    .not.toBe('')
  return code
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** By WCAG 2.2 AA. */
async function expectAccessible(page: Page): Promise<void> {
  const results = (await page.evaluate(`${axe}\n;axe.run()`)) as AxeResults
  expect(results.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
}
