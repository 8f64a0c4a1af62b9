// SEC-114. A web hook or a mapper answers with the account as it was. An operator's change meanwhile stays.
import assert from 'node:assert/strict'
import { newDsn, testOnEach as test } from '../../kit/databases.ts'
import { createTestIdentity, merge, type TestIdentity } from '../../kit/kit.ts'
import { ADA } from '../../kit/recovery-kit.ts'
import { callbackOf, type Mapping, providerEntry, signInWith, withProviders } from '../../servers/oidc-kit.ts'
import { startOpenIdProvider } from '../../servers/openid-provider.ts'

const MOVED = 'moved@example.com'
const ROLE = { role: 'admin' }

const SUBMISSIONS = {
  'a name': { method: 'profile', traits: { email: ADA, name: 'Ada' } },
  'a password': { method: 'password', password: 'battery staple 7 horse' },
}

const OPERATIONS = {
  'a removed role': [{ op: 'replace', path: '/metadata_public', value: {} }],
  'another address': [{ op: 'replace', path: '/traits/email', value: MOVED }],
  'a withdrawn verification': [{ op: 'replace', path: '/verifiable_addresses/0/verified', value: false }],
}

const hook = { url: 'http://hook.test/', method: 'POST', body: () => ({}) }

for (const [submitted, values] of Object.entries(SUBMISSIONS)) {
  for (const [name, operations] of Object.entries(OPERATIONS)) {
    test(`SEC-114 changing ${submitted} does not undo ${name}`, async () => {
      const parsing = [{ hook: 'web_hook', config: { ...hook, response: { parse: true } } }]
      const flows = { settings: { after: { hooks: parsing } } }
      const { identity, meanwhile } = await interrupted({ selfservice: { flows } }, fetch, () =>
        Response.json({ identity: { metadata_admin: { seen: true } } }),
      )
      const browser = await identity.signedIn(ADA)
      const id = await withRole(identity)
      const form = await browser.open('settings')
      meanwhile.run = () => identity.admin('PATCH', `/admin/identities/${id}`, operations)
      assert.equal((await browser.submit(form, values)).status, 400)
      assert.deepEqual(await stateOf(identity, id), expected(name))
      const again = await browser.submit(await browser.open('settings'), SUBMISSIONS['a password'])
      assert.equal(again.status, 200)
      assert.deepEqual(await stateOf(identity, id), expected(name))
    })
  }
}

test('SEC-114 a sign-in by a provider does not undo what an operator changes meanwhile', async () => {
  const acme = await startOpenIdProvider({ redirect_uris: [callbackOf('acme')] })
  const mapper = ({ claims, identity }: Mapping & { identity: { metadata_public: object } }) => ({
    identity: {
      traits: { email: claims.email, name: claims.name },
      metadata_public: { ...identity.metadata_public, mapped: true },
    },
  })
  const entry = { issuer_url: acme.issuer, update_identity_on_login: 'automatic', mapper }
  const after = { oidc: { hooks: [{ hook: 'web_hook', config: { ...hook, can_interrupt: true } }] } }
  const providers = withProviders([providerEntry('acme', entry)], { flows: { login: { after } } })
  const { identity, meanwhile } = await interrupted(providers, acme.fetch, () => Response.json({}))
  const user = { sub: 'ada-1', email: ADA, email_verified: true, name: 'Ada' }
  await signInWith(identity.browser(), acme, user)
  const id = await withRole(identity)
  meanwhile.run = () => identity.admin('PATCH', `/admin/identities/${id}`, OPERATIONS['a removed role'])
  const browser = identity.browser()
  await signInWith(browser, acme, { ...user, name: 'Ada Lovelace' })
  assert.deepEqual((await browser.whoami()).body.identity.metadata_public, {})
  await signInWith(identity.browser(), acme, { ...user, name: 'Ada Lovelace' })
  const { body } = await identity.admin('GET', `/admin/identities/${id}`)
  assert.deepEqual([body.traits.name, body.metadata_public], ['Ada Lovelace', { mapped: true }])
})

async function interrupted(
  overrides: object,
  others: typeof fetch,
  answer: () => Response,
): Promise<{ identity: TestIdentity; meanwhile: { run?: (() => Promise<unknown>) | undefined } }> {
  const meanwhile: { run?: (() => Promise<unknown>) | undefined } = {}
  const answering: typeof fetch = async (input, init) => {
    if (!String(input).startsWith(hook.url)) return await others(input, init)
    const { run } = meanwhile
    meanwhile.run = undefined
    await run?.()
    return answer()
  }
  const config = merge({ dsn: await newDsn({ shared: true }) }, { ...overrides })
  return { identity: await createTestIdentity(config, { fetch: answering }), meanwhile }
}

async function withRole(identity: TestIdentity): Promise<string> {
  const [{ id }] = (await identity.admin('GET', '/admin/identities')).body
  const role = [{ op: 'add', path: '/metadata_public', value: ROLE }]
  assert.equal((await identity.admin('PATCH', `/admin/identities/${id}`, role)).status, 200)
  return id
}

async function stateOf(identity: TestIdentity, id: string) {
  const { metadata_public, traits, verifiable_addresses } = (
    await identity.admin('GET', `/admin/identities/${id}`)
  ).body
  return [metadata_public, traits.email, verifiable_addresses[0].verified]
}

function expected(name: string) {
  const isMoved = name === 'another address'
  const isVerified = !isMoved && name !== 'a withdrawn verification'
  return [name === 'a removed role' ? {} : ROLE, isMoved ? MOVED : ADA, isVerified]
}
