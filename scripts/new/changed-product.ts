import assert from 'node:assert/strict'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Every kind of change that the recipes of docs/building.md make to forms and accounts. */
export function changeAccounts(product: string): void {
  const replace = (file: string, changes: Readonly<Record<string, string>>) => {
    const path = join(product, file)
    writeFileSync(path, replaceAll(readFileSync(path, 'utf8'), changes))
  }
  replace('app.config.ts', {
    'minLength: 6 }': 'minLength: 20 }',
    "title: 'Email'": "title: 'Where we write to'",
    'maxLength: 100 },\n}': `maxLength: 100 },
  phone: { type: 'string', format: 'tel', pattern: '^[+][0-9 ]+$', title: 'Phone' },
  port: { type: 'string', pattern: '^[A-Z]{3}$', title: 'Port', examples: ['HAM'] },
  plan: { type: 'string', enum: ['crew', 'guest'], title: 'Plan' },
  age: { type: 'integer', minimum: 18, maximum: 99, title: 'Age' },
  born: { type: 'string', format: 'date', title: 'Born' },
  rules: { type: 'boolean', const: true, title: 'I keep the rules' },
}`,
    "= ['email']": "= ['email', 'name', 'phone', 'port', 'plan', 'age', 'born', 'rules']",
  })
  replace('app/server.ts', {
    '  api,':
      "  api,\n  policy: { script: ['https://js.invalid/loader.js'], connect: ['https://api.invalid'] },",
  })
  replace('app/texts.ts', { "title: 'Login'": "title: 'Come aboard'", "signIn: 'Login'": "signIn: 'Board'" })
  appendFileSync(
    join(product, 'app/texts.ts'),
    `
export const formTexts = {
  field: { email: 'Where to write', password: 'Secret words', code: 'Digits' },
  layout: { logout: 'Go ashore', signOut: ['Go ashore', 'Going…'] },
  emailVerified: { title: 'You are in', login: 'To the gangway', continue: 'On' },
  verify: { verify: 'Prove it' },
} as const
`,
  )
  replace('app/web/app.tsx', {
    "from './routes.tsx'": "from './routes.tsx'\nimport { formTexts } from '../texts.ts'",
    'NotFound })': 'NotFound, texts: formTexts })',
  })
  writeFileSync(join(product, 'e2e/watched.spec.ts'), WATCHED)
  writeFileSync(join(product, 'app/server/api.test.ts'), API_TEST)
}

function replaceAll(text: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((edited, [from, to]) => {
    assert.ok(edited.includes(from), from)
    return edited.replace(from, () => to)
  }, text)
}

/** Journeys that must fail, and some that must not. */
const WATCHED = `
import { expect, test } from './kit.ts'

for (const status of [500, 502])
  test.fail(\`an answer of \${status} fails a journey\`, async ({ page }) => {
    await page.route('**/call', (route) => route.fulfill({ status }))
    await page.goto('/')
    await page.evaluate(() => fetch('/call'))
  })

test.fail('a request without an answer fails a journey', async ({ page }) => {
  await page.route('**/call', (route) => route.abort())
  await page.goto('/')
  await page.evaluate(() => fetch('/call').catch(() => {}))
})

test('requests to other hosts do not leave the machine', async ({ page }) => {
  await page.goto('/')
  const answers = await page.evaluate(() =>
    Promise.all((['omit', 'include'] as const).map(async (credentials) => {
      const response = await fetch('https://api.invalid/tiles', { credentials, method: 'PUT' })
      return await response.json()
    })),
  )
  expect(answers).toEqual([{}, {}])
})

for (const status of [403, 409])
  test(\`an answer of \${status} is none of its business\`, async ({ page }) => {
    await page.route('**/call', (route) => route.fulfill({ status }))
    await page.goto('/')
    await page.evaluate(() => fetch('/call').catch(() => {}))
  })

test.describe('with a failure that it provokes', () => {
  test.use({ provoked: /status of 502/ })
  test('a journey passes', async ({ page }) => {
    await page.route('**/call', (route) => route.fulfill({ status: 502 }))
    await page.goto('/')
    await page.evaluate(() => fetch('/call'))
  })
})
`

const API_TEST = `
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestProduct } from '@ostiary/server/testing'
import product from '../server.ts'

test('a user has devices', async () => {
  await using app = await createTestProduct(product)
  assert.equal((await app.fetch('/api/v1/account/devices')).status, 401)
  assert.equal((await app.fetch('/api/v1/account/devices', await app.signedIn('ada@example.com'))).status, 200)
})
`
