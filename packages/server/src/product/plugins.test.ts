import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Hono } from 'hono'
import ownProduct from '../../../../app/server.ts'
import { signUp, startTestProduct } from '../../test/product.ts'
import { assertRecipe } from '../../test/recipe.ts'
import { readSettings } from '../../test/settings.ts'
import { describeRoute } from '../http/operation.ts'
import { type ApiOf, definePlugin, type SettingsOf, withPlugins } from './plugins.ts'
import type { Product } from './product.ts'
import { env } from './settings.ts'

const now = () => new Date()

const guestbook = definePlugin({
  name: 'guestbook',
  settings: { GUESTBOOK_TITLE: env.text('title of the guestbook', { default: 'Guests' }) },
  api: ({ settings }) =>
    new Hono().get('/guestbook', describeRoute({ summary: 'The title' }), (c) =>
      c.json({ title: settings.GUESTBOOK_TITLE }),
    ),
})

// A page calls it, and reads its public settings.
const register: {
  path: keyof ApiOf<typeof guestbook>
  setting: keyof SettingsOf<typeof guestbook>
} = { path: '/guestbook', setting: 'GUESTBOOK_TITLE' }
assert.ok(register)

// Its jobs know its settings, which the types check.
definePlugin({
  name: 'typed',
  settings: { GUESTS: env.number('at most', { default: 1 }) },
  jobs: { count: { every: '15m', run: ({ settings }) => assert.ok(settings.GUESTS > 0) } },
})

/** Each notes what it did in `done`. */
function createParts(who: string, done: string[]) {
  return {
    api: () => new Hono().get(`/${who}`, (c) => c.json({ who })),
    settings: { [`${who.toUpperCase()}_KEY`]: env.text('a key', { default: who }) },
    migrations: { '0001-rows': { up: async () => void done.push(`${who} migrates`) } },
    jobs: { nightly: { at: '02:00', run: () => {} } },
    policy: { img: [`https://${who}.example`] },
    letters: {
      verification_code_valid: (letter) => ({ ...letter, subject: `${letter.subject} ${who}` }),
    },
    on: {
      registered: {
        async inTransaction() {
          done.push(`${who} hears`)
        },
      },
    },
    accountData: { export: async () => ({ [who]: 1 }) },
    identity: (defaults) => {
      done.push(`${who} configures`)
      return defaults
    },
  } satisfies Omit<Product, 'config'>
}

test('a plugin brings a setting and a route', async () => {
  assertRecipe('Share a part between products', import.meta.filename)
  const product = withPlugins({ ...ownProduct, plugins: [guestbook] })
  const settings = { GUESTBOOK_TITLE: 'Visitors' }
  await using started = await startTestProduct(settings, {}, now, product)
  assert.deepEqual(await (await started.fetch('/api/v1/guestbook')).json(), { title: 'Visitors' })
  const { paths } = (await (await started.fetch('/api/v1/openapi.json')).json()) as { paths: object }
  assert.ok('/guestbook' in paths, Object.keys(paths).join())
})

test('members of plugins and of the product work side by side, the product’s last', async () => {
  const done: string[] = []
  const plugins = ['one', 'two'].map((name) => ({ name, ...createParts(name, done) }))
  const product = withPlugins({ ...ownProduct, ...createParts('own', done), plugins })
  await using started = await startTestProduct({}, {}, now, product)
  const token = await signUp(started, 'ada@example.com')
  const inOrder = (what: string) => ['one', 'two', 'own'].map((who) => `${who} ${what}`)
  assert.deepEqual(
    done.filter((one) => one.endsWith('configures')),
    inOrder('configures'),
  )
  assert.deepEqual(
    done.filter((one) => one.endsWith('hears')),
    inOrder('hears'),
  )
  assert.equal(done.filter((one) => one.endsWith('migrates')).length, 3)
  for (const who of ['one', 'two', 'own'])
    assert.deepEqual(await (await started.fetch(`/api/v1/${who}`)).json(), { who })
  const subjects = (await started.identity.listMails(9)).map(({ subject }) => subject)
  assert.ok(
    subjects.some((subject) => subject.endsWith(' one two own')),
    subjects.join(),
  )
  const headers = { 'X-Session-Token': token }
  const data = (await (await started.fetch('/api/v1/account/export', { headers })).json()) as Product
  assert.deepEqual((data as { product?: unknown }).product, { one: 1, two: 1, own: 1 })
  assert.deepEqual(Object.keys(product.jobs ?? {}).sort(), ['nightly', 'one-nightly', 'two-nightly'])
  const policy = (await started.fetch('/')).headers.get('content-security-policy') ?? ''
  assert.match(policy, /img-src [^;]*https:\/\/one\.example https:\/\/two\.example https:\/\/own\.example/)
})

test('hooks without work after the commit take no place in the background', () => {
  const plugins = ['one', 'two'].map((name) => ({ name, ...createParts(name, []) }))
  const { on }: Product = withPlugins<Product>({ ...ownProduct, plugins })
  assert.equal(typeof on?.registered?.inTransaction, 'function')
  assert.equal(on?.registered?.afterCommit, undefined)
})

test('the start refuses plugins that do not go together, and names the part', () => {
  const problemsOf = (...plugins: NonNullable<Product['plugins']>) => {
    const product = withPlugins({ ...ownProduct, plugins })
    try {
      readSettings({}, product)
      return ''
    } catch (error) {
      return String(error)
    }
  }
  const { GUESTBOOK_TITLE } = guestbook.settings ?? {}
  assert.equal(problemsOf(guestbook), '')
  assert.match(problemsOf(guestbook, guestbook), /Two plugins in app\/server\.ts have the name guestbook/)
  assert.match(problemsOf({ name: 'My Teams' }), /has the name "My Teams"/)
  const misspelled = { name: 'teams', migration: {} }
  assert.match(problemsOf(misspelled), /The plugin teams .* unknown part migration\. Use accountData, api,/)
  const copy = { name: 'copy', settings: { GUESTBOOK_TITLE: { ...GUESTBOOK_TITLE } } }
  assert.match(
    problemsOf(guestbook, copy as typeof guestbook),
    /settings\.GUESTBOOK_TITLE of the plugin guestbook exists twice/,
  )
})
