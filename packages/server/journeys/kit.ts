import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type APIRequestContext, type APIResponse, test as base, expect, type Page } from '@playwright/test'
import type { AxeResults } from 'axe-core'
import { admin_url, url } from './config.ts'

export { journeysIn } from './config.ts'

interface Account {
  /** JSON schemas by name, as in `app.config.ts`. */
  readonly traits: Readonly<Record<string, object>>
  readonly requiredTraits: readonly string[]
}

/**
 * Users, steps and checks for journeys through a product.
 *
 * @example export const { test, expect, logIn } = defineKit({ traits, requiredTraits })
 */
export function defineKit({ traits, requiredTraits }: Account) {
  const required = Object.entries<TraitSchema>(traits).filter(
    ([name]) => name !== 'email' && requiredTraits.includes(name),
  )
  return {
    test: defineTest(required),
    expect,
    logIn,
    /** Fills in and submits the form of `/register`. */
    register: (page: Page, user: User) => register(page, user, required),
    /** Creates a verified account, with roles such as `editor`. */
    createAccount: (request: APIRequestContext, user: User, roles: readonly string[] = []) =>
      createAccount(request, user, roles, required),
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
  readonly user: User
  /** Whose session the page has. */
  readonly signedIn: User
}

/** Traits that registration asks for besides the address. */
type Required = readonly (readonly [string, TraitSchema])[]

/** A console error fails a test. */
const defineTest = (required: Required) =>
  base.extend<Fixtures>({
    page: async ({ page }, use) => {
      const errors: string[] = []
      page.on('pageerror', ({ message }) => errors.push(message))
      page.on('console', (message) => {
        // The browser's own line about an answer such as 404.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
          errors.push(message.text())
      })
      await use(page)
      expect(errors).toEqual([])
    },
    user: ({ page: _ }, use) =>
      use({ email: `user-${randomUUID().slice(0, 8)}@example.com`, password: 'three quiet words' }),
    signedIn: async ({ page, user }, use) => {
      await createAccount(page.request, user, [], required)
      await page.goto('/login')
      await logIn(page, user)
      await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
      await use(user)
    },
  })

async function logIn(page: Page, { email, password }: User): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

interface TraitSchema {
  readonly type?: string
  readonly title?: string
  readonly format?: string
  readonly enum?: readonly string[]
}

function sampleOf({ type, format, enum: [first] = [] }: TraitSchema) {
  if (type === 'boolean') return true
  if (type === 'number' || type === 'integer') return 1
  return first ?? (format === 'date' ? '1990-01-02' : 'Ada')
}

async function register(page: Page, user: User, required: Required): Promise<void> {
  for (const [name, schema] of required) {
    const field = page.getByLabel(schema.title ?? name)
    if (schema.type === 'boolean') await field.check()
    else if (schema.enum) await field.selectOption(`${sampleOf(schema)}`)
    else await field.fill(`${sampleOf(schema)}`)
  }
  await logIn(page, user)
}

async function createAccount(
  request: APIRequestContext,
  { email, password }: User,
  roles: readonly string[],
  required: Required,
): Promise<void> {
  const values = Object.fromEntries(required.map(([name, schema]) => [name, sampleOf(schema)]))
  const data = {
    schema_id: 'person',
    traits: { ...values, email },
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
