import assert from 'node:assert/strict'
import type { Tables } from '../../src/storage/tables.ts'
import { verificationIn } from '../../src/testing/answers.ts'
import { PASSWORD } from '../../src/testing/clients.ts'
import { accountFacts } from '../../src/transfer/account-facts.ts'
import { cleanedUp } from '../kit/clean-up.ts'
import { test } from '../kit/databases.ts'
import { createTestIdentity, merge, type TestIdentity, VERIFIED_ONLY } from '../kit/kit.ts'
import { ADA } from '../kit/recovery-kit.ts'
import { BY_CODE, byCode } from '../servers/planted-kit.ts'

type Owned = {
  [Name in keyof Tables]: 'identity_id' extends keyof Tables[Name] ? Name : never
}[keyof Tables]

/** Where a file of accounts keeps the rows of an account, or why it needs none. A new table must be listed. */
const ROWS = {
  credentials: 'credentials, or counted by `npm run export`',
  credential_identifiers: 'derived from traits and credentials',
  addresses: 'derived from traits; verifiable_addresses has what is verified',
  address_changes: 'transfer.undo_until; a waiting change is asked for again',
  sign_ups: 'transfer.sign_up',
  account_deletions: 'transfer.deletion',
  sessions: 'users sign in again',
  flows: 'forms and codes are for this server',
  codes: 'forms and codes are for this server',
  events: 'for reading only',
  messages: 'emails are sent by this server',
  identity_admin_calls: 'for reading only',
} satisfies Record<Owned, string>

/** Columns, likewise. */
const COLUMNS = {
  identities: {
    id: 'external_id',
    schema_id: 'the traits must fit the schema there',
    traits: 'traits',
    metadata_public: 'metadata_public',
    metadata_admin: 'metadata_admin',
    state: 'state',
    external_id: 'external_id',
    organization_id: 'organization_id',
    available_aal: 'derived from credentials',
    created_at: 'periods begin again, which deletes later',
    updated_at: 'periods begin again, which deletes later',
    state_changed_at: 'for reading only',
    sign_in_epoch: 'no sign-in that began elsewhere ends here',
    devices_forgotten_at: 'known devices are for the former id',
  },
  sign_ups: {
    identity_id: 'the account',
    browsers: 'cookies are for this server: no browser counts as the registering one',
    proven_at: 'transfer.sign_up.proven',
    imported_at: 'transfer.sign_up.imported',
  },
  account_deletions: {
    identity_id: 'the account',
    requested_at: 'transfer.deletion.requested_at',
    due_at: 'transfer.deletion.due_at',
  },
} satisfies { [Name in 'identities' | 'sign_ups' | 'account_deletions']: Record<keyof Tables[Name], string> }

test('SEC-104 the list of facts names each that is moved', () => {
  const reasons = [
    ...Object.values(ROWS),
    ...Object.values(COLUMNS).flatMap((columns) => Object.values(columns)),
  ]
  for (const name of Object.keys(accountFacts.shape))
    assert.ok(
      reasons.some((reason) => reason.startsWith(`transfer.${name}`)),
      name,
    )
})

const DAY_MS = 86_400_000
const CONFIG = merge(VERIFIED_ONLY, {
  selfservice: {
    methods: BY_CODE,
    flows: { settings: { after: { profile: { hooks: [{ hook: 'verify_new_address' }] } } } },
  },
  retention: { unverified_accounts: '24h' },
  limits: { registration: 'off' },
})

/** As `npm run export` and `npm run import` do. */
async function move(from: TestIdentity, to: TestIdentity): Promise<void> {
  const list = '/admin/identities?include_transfer=true&include_credential=password'
  const { body } = await from.admin('GET', list)
  for (const { traits, state, verifiable_addresses, transfer, credentials } of body) {
    const { hashed_password } = credentials?.password?.config ?? {}
    const account = {
      ...{ traits, state, verifiable_addresses, transfer },
      ...(hashed_password ? { credentials: { password: { config: { hashed_password } } } } : {}),
    }
    assert.equal((await to.admin('POST', '/admin/identities', account)).status, 201)
  }
}

type Act = (identity: TestIdentity) => Promise<unknown>

const MADE: Record<string, Act> = {
  registered: (identity) => identity.browser().register(ADA),
  proven: async (identity) => {
    const browser = identity.browser()
    await browser.register(ADA)
    await byCode(identity, browser, 'verification')
  },
  'proven, then unverified by an operator': async (identity) => {
    await MADE.proven?.(identity)
    const [{ id }] = (await identity.admin('GET', '/admin/identities')).body
    const unverified = { op: 'replace', path: '/verifiable_addresses/0/verified', value: false }
    await identity.admin('PATCH', `/admin/identities/${id}`, [unverified])
  },
  'registered, then verified by an operator': async (identity) => {
    await identity.browser().register(ADA)
    const [{ id }] = (await identity.admin('GET', '/admin/identities')).body
    const verified = { op: 'replace', path: '/verifiable_addresses/0/verified', value: true }
    await identity.admin('PATCH', `/admin/identities/${id}`, [verified])
  },
  'made by an operator': (identity) =>
    identity.admin('POST', '/admin/identities', {
      traits: { email: ADA },
      credentials: { password: { config: { password: PASSWORD } } },
    }),
  disabled: (identity) =>
    identity.admin('POST', '/admin/identities', {
      ...{ traits: { email: ADA }, state: 'inactive' },
      credentials: { password: { config: { password: PASSWORD } } },
      verifiable_addresses: [{ value: ADA, via: 'email', verified: true }],
    }),
  'leaving at the wish of its user': async (identity) => {
    const browser = await identity.signedIn(ADA)
    const { id } = (await browser.whoami()).body
    assert.equal((await identity.account.requestDeletion(id)).kind, 'scheduled')
  },
}

const exists = async (identity: TestIdentity, email: string) =>
  (await identity.admin('GET', `/admin/identities?credentials_identifier=${email}`)).body.length > 0

/** Decisions about the account; each must be the same where it moved to. */
const DECISIONS: Record<string, Act> = {
  'whether a recovery keeps the password': async (identity) => {
    const { status } = await byCode(identity, identity.browser(), 'recovery')
    return [status, (await identity.browser().signIn(ADA)).status]
  },
  'whether its password signs in': async (identity) => (await identity.browser().signIn(ADA)).status,
  'whether clean-up deletes it': async (identity) => {
    await identity.browser().register('forgotten@example.com')
    identity.advance(20 * DAY_MS)
    await cleanedUp(identity)
    assert.equal(await exists(identity, 'forgotten@example.com'), false)
    return await exists(identity, ADA)
  },
  'whether another account gets its address': async (identity) => {
    const browser = await identity.signedIn('eve@example.com')
    const wanted = { method: 'profile', traits: { email: ADA } }
    const changed = await browser.submit(await browser.open('settings'), wanted)
    const form = await browser.get(`/self-service/verification/flows?id=${verificationIn(changed)?.id}`)
    const code = (await identity.mails(ADA))[0]?.body.match(/\b\d{6}\b/)?.[0] ?? '000000'
    return (await browser.submit(form, { method: 'code', code })).body.state
  },
}

const outcomes = new Map<string, Set<string>>()

for (const [decision, decide] of Object.entries(DECISIONS))
  for (const [account, make] of Object.entries(MADE))
    test(`SEC-104 ${decision} is decided after a move as before, if it was ${account}`, async () => {
      const [from, to] = [await createTestIdentity(CONFIG), await createTestIdentity(CONFIG)]
      await make(from)
      await move(from, to)
      const expected = await decide(from)
      outcomes.set(decision, (outcomes.get(decision) ?? new Set()).add(JSON.stringify(expected)))
      assert.deepEqual(await decide(to), expected)
    })

test('SEC-104 each decision depends on the account', () => {
  for (const [decision, found] of outcomes) assert.ok(found.size > 1, `${decision}: ${[...found].join()}`)
})

test('SEC-104 an export says that an address change can still be undone', async () => {
  const identity = await createTestIdentity(CONFIG)
  const browser = await identity.signedIn(ADA)
  const wanted = { method: 'profile', traits: { email: 'new@example.com' } }
  const changed = await browser.submit(await browser.open('settings'), wanted)
  const form = await browser.get(`/self-service/verification/flows?id=${verificationIn(changed)?.id}`)
  await browser.submit(form, { method: 'code', code: await identity.code('new@example.com') })
  const listed = async () => (await identity.admin('GET', '/admin/identities?include_transfer=true')).body[0]
  assert.ok((await listed()).transfer.undo_until > identity.now().toISOString())
  identity.advance(4 * DAY_MS)
  assert.equal((await listed()).transfer.undo_until, null)
})
