import assert from 'node:assert/strict'
import { openDatabase } from '../../../src/storage/db.ts'
import type { Answer } from '../../../src/testing/answers.ts'
import { type Browser, PASSWORD } from '../../../src/testing/clients.ts'
import type { FlowKind } from '../../../src/wire/wire.ts'
import { atEnd, newDsn, test } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'
import { configured, refusal } from '../../servers/hook-kit.ts'
import { startHookReceiver } from '../../servers/hook-receiver.ts'
import { callbackOf, formOf, GRACE, leave, providerEntry, signInWith } from '../../servers/oidc-kit.ts'
import { type OpenIdProvider, startOpenIdProvider } from '../../servers/openid-provider.ts'

// SEC-100. Each row leads to the last request of a flow, which is then refused as late as possible. A new table of
// the database counts as an effect.

interface World {
  readonly identity: TestIdentity
  readonly acme: OpenIdProvider
}

type LastStep = () => Promise<Answer>

const ADA = 'ada@example.com'
const OTHER_PASSWORD = 'another horse 7 battery'
const CODE = { method: 'code' }

const FLOWS: { readonly [K in FlowKind]: Readonly<Record<string, (world: World) => Promise<LastStep>>> } = {
  login: {
    'with a password': async ({ identity }) => {
      await identity.user(ADA)
      const browser = identity.browser()
      const flow = await browser.open('login')
      return () => browser.submit(flow, { method: 'password', identifier: ADA, password: PASSWORD })
    },
    'with a provider whose claims changed': async ({ identity, acme }) => {
      await signInWith(identity.browser(), acme, { ...GRACE, email: ADA })
      const browser = identity.browser()
      acme.user = { ...GRACE, email: 'moved@example.com', name: 'Moved' }
      const back = await acme.visit(await leave(browser, await browser.open('login'), 'acme'))
      return () => browser.navigate(back)
    },
    'with a code that proves the address': async ({ identity }) => {
      await identity.browser().register(ADA)
      const browser = identity.browser()
      const form = { ...CODE, identifier: ADA }
      const asked = await browser.submit(await browser.open('login'), form)
      const code = await identity.code(ADA)
      return () => browser.submit(asked, { ...form, code })
    },
    'that a verification waits for': async ({ identity }) => {
      await identity.browser().register(ADA)
      const browser = identity.browser()
      const asked = await askForCode(browser, 'verification')
      const waiting = await browser.submit(asked, { ...CODE, code: await identity.code(ADA) })
      const login = await formOf(browser, { ...waiting, location: redirectIn(waiting) })
      return () => browser.submit(login, { method: 'password', identifier: ADA, password: PASSWORD })
    },
    'that connects a provider': async ({ identity, acme }) => {
      await identity.user(ADA)
      const browser = identity.browser()
      const login = await formOf(browser, await signInWith(browser, acme, { ...GRACE, email: ADA }))
      return () => browser.submit(login, { method: 'password', identifier: ADA, password: PASSWORD })
    },
  },
  registration: {
    'with a password': async ({ identity }) => {
      const browser = identity.browser()
      const flow = await browser.open('registration')
      return () => browser.submit(flow, { method: 'password', password: PASSWORD, traits: { email: ADA } })
    },
    'with a provider that verified the address of an unproven account': async ({ identity, acme }) => {
      await identity.browser().register(ADA)
      const browser = identity.browser()
      acme.user = { ...GRACE, email: ADA }
      const back = await acme.visit(await leave(browser, await browser.open('registration'), 'acme'))
      return () => browser.navigate(back)
    },
  },
  settings: {
    'of a password': async ({ identity }) => {
      const browser = await identity.signedIn(ADA)
      const flow = await browser.open('settings')
      return () => browser.submit(flow, { method: 'password', password: OTHER_PASSWORD })
    },
    'of an address': async ({ identity }) => {
      const browser = await identity.signedIn(ADA)
      const flow = await browser.open('settings')
      return () => browser.submit(flow, { method: 'profile', traits: { email: 'moved@example.com' } })
    },
    'that connects a provider': async ({ identity, acme }) => {
      const browser = await identity.signedIn(ADA)
      acme.user = GRACE
      const sent: Answer = await browser.submit(await browser.open('settings'), {
        method: 'oidc',
        link: 'acme',
      })
      const back = await acme.visit(redirectIn(sent))
      return () => browser.navigate(back)
    },
  },
  recovery: {
    'by code': async ({ identity }) => {
      await identity.browser().register(ADA)
      const browser = identity.browser()
      const asked = await askForCode(browser, 'recovery')
      const code = await identity.code(ADA)
      return () => browser.submit(asked, { ...CODE, code })
    },
  },
  verification: {
    'by code': async ({ identity }) => {
      const browser = identity.browser()
      await browser.register(ADA)
      const asked = await askForCode(browser, 'verification')
      const code = await identity.code(ADA)
      return () => browser.submit(asked, { ...CODE, code })
    },
  },
}

async function askForCode(browser: Browser, kind: 'recovery' | 'verification') {
  return await browser.submit(await browser.open(kind), { ...CODE, email: ADA })
}

function redirectIn({ body }: Answer): string {
  return String(body.redirect_browser_to)
}

const KINDS = Object.keys(FLOWS) as FlowKind[]
/** A disabled account may still verify its address, which opens nothing. */
const NEEDS_ACTIVE: readonly FlowKind[] = ['login', 'settings', 'recovery']

for (const kind of KINDS) {
  for (const [title, lead] of Object.entries(FLOWS[kind])) {
    test(`SEC-100 a ${kind} ${title} has no effect before its last refusal`, async () => {
      const refusing: FlowKind[] = []
      for (const hook of KINDS) {
        const { identity, acme, receiver, effects } = await newWorld()
        const submit = await lead({ identity, acme })
        receiver.answers.set(`/${hook}`, refusal('#/'))
        receiver.calls.length = 0
        const before = await effects()
        await submit()
        // Without the refusal, it has effects.
        const isRefused = receiver.calls.some(({ path }) => path === `/${hook}`)
        if (isRefused) refusing.push(hook)
        assert[isRefused ? 'deepEqual' : 'notDeepEqual'](await effects(), before, hook)
      }
      assert.ok(refusing.includes(kind), String(refusing))
    })

    if (!NEEDS_ACTIVE.includes(kind)) continue
    test(`SEC-100 a ${kind} ${title} has no effect on a disabled account`, async () => {
      const { effects, ...world } = await newWorld()
      const submit = await lead(world)
      const [{ id }] = (await world.identity.admin('GET', '/admin/identities')).body
      const inactive = [{ op: 'replace', path: '/state', value: 'inactive' }]
      await world.identity.admin('PATCH', `/admin/identities/${id}`, inactive)
      const before = await effects()
      await submit()
      assert.deepEqual(await effects(), before)
    })
  }
}

async function newWorld() {
  const dsn = await newDsn({ shared: true })
  const acme = await startOpenIdProvider({ redirect_uris: [callbackOf('acme')] })
  const receiver = await startHookReceiver()
  const stopping = (kind: FlowKind, ...more: object[]) => ({
    hooks: [configured(receiver, { path: `/${kind}`, can_interrupt: true }), ...more],
  })
  const login = stopping('login')
  const registration = stopping('registration', { hook: 'session' })
  const settings = stopping('settings')
  const entry = { issuer_url: acme.issuer, update_identity_on_login: 'automatic' }
  const identity = await createTestIdentity(
    {
      dsn,
      selfservice: {
        methods: {
          code: { passwordless_enabled: true },
          oidc: { enabled: true, config: { providers: [providerEntry('acme', entry)] } },
        },
        flows: {
          login: { after: { password: login, oidc: login, code: login } },
          registration: { after: { password: registration, oidc: registration } },
          settings: {
            after: {
              password: settings,
              oidc: settings,
              profile: stopping('settings', { hook: 'verify_new_address' }),
            },
          },
          recovery: { after: stopping('recovery') },
          verification: { after: stopping('verification') },
        },
      },
    },
    { fetch },
  )
  return { identity, acme, receiver, effects: await watchTables(dsn) }
}

/** Forms and counts are how a refusal answers. */
const NO_EFFECT = /^(flows|limits|errors|events|replicas|installation|kysely_migration(_lock)?)$/

async function watchTables(dsn: string) {
  const db = await openDatabase(dsn)
  atEnd(() => db.destroy())
  const names = (await db.introspection.getTables())
    .map(({ name }) => name)
    .filter((name) => !NO_EFFECT.test(name))
  assert.ok(names.length >= 8)
  return async () => {
    const tables = names.map(async (name) => {
      const rows = await db
        .selectFrom(db.dynamic.table(name as 'identities').as('t'))
        .selectAll()
        .execute()
      // The courier changes rows of emails.
      return [name, rows.map((row) => (name.startsWith('message') ? row.id : JSON.stringify(row))).sort()]
    })
    return Object.fromEntries(await Promise.all(tables))
  }
}
