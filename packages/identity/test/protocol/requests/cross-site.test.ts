import assert from 'node:assert/strict'
import { type Answer, type FlowAnswer, tokenOf } from '../../../src/testing/answers.ts'
import { type Browser, PASSWORD } from '../../../src/testing/clients.ts'
import { isChosen } from '../../input/sample.ts'
import { test, testOn } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'
import { ADA } from '../../kit/recovery-kit.ts'

const TYPES = [
  'application/json',
  'APPLICATION/JSON',
  'application/json; charset=utf-8',
  'application/x-www-form-urlencoded',
  'Application/X-WWW-Form-Urlencoded; charset=utf-8',
  'text/plain',
  'TEXT/PLAIN;charset=UTF-8',
  'multipart/form-data; boundary=x',
  'application/csp-report',
  'application/json, text/plain',
  'text/plain; application/json',
  'application/jsonx',
  'x',
  '',
]
const OWN = 'http://app.test'
const ORIGINS = [OWN, 'http://evil.app.test', 'http://evil.test', 'null', undefined]
const SITES = ['same-origin', 'same-site', 'cross-site', 'none', undefined]
const TOKENS = ['right', 'wrong'] as const

interface Cell {
  readonly type: string
  readonly origin: string | undefined
  readonly site: string | undefined
  readonly token: 'right' | 'wrong'
}

const cells: Cell[] = TYPES.flatMap((type) =>
  ORIGINS.flatMap((origin) =>
    SITES.flatMap((site) => TOKENS.map((token) => ({ type, origin, site, token }))),
  ),
)

const FORMS: Record<string, (n: number) => Record<string, string>> = {
  login: () => ({ method: 'password', identifier: ADA, password: PASSWORD }),
  registration: (n) => ({ method: 'password', password: PASSWORD, 'traits.email': `new-${n}@example.com` }),
  recovery: () => ({ method: 'code', email: ADA }),
  verification: () => ({ method: 'code', email: ADA }),
  settings: (n) => ({ method: 'profile', 'traits.email': ADA, 'traits.name': `Name ${n}` }),
}

// Refused requests never reach the database.
for (const [kind, form] of Object.entries(FORMS)) {
  testOn(
    'SQLite',
    `SEC-34 of 700 ways to send a ${kind} form, only those from the own site work`,
    async () => {
      const identity = await createTestIdentity({ limits: { mail: 'off' } })
      await identity.user(ADA)
      const [browser, spare] = [await opener(identity, kind), await opener(identity, kind)]
      const kept = await browser.open(kind as 'login')
      const before = await stateOf(identity)
      const chosen = cells.filter((cell) => isChosen(`${kind} ${JSON.stringify(cell)}`, 4))
      for (const cell of chosen.filter((one) => !isOwn(one))) {
        const answer = await send(browser, kept, cell, form(0))
        assert.ok([400, 403].includes(answer.status), `${answer.status} for ${JSON.stringify(cell)}`)
      }
      assert.deepEqual(await stateOf(identity), before)
      for (const [n, cell] of chosen.filter(isOwn).entries()) {
        const fresh = kind === 'settings' ? spare : identity.browser()
        const answer = await send(fresh, await fresh.open(kind as 'login'), cell, form(n + 1))
        assert.equal(answer.status, 200, JSON.stringify(cell))
      }
      assert.equal(cells.length, 700)
    },
  )
}

function isOwn({ type, origin, site, token }: Cell): boolean {
  const [essence] = type.toLowerCase().split(';')
  const isRead = essence === 'application/json' || essence === 'application/x-www-form-urlencoded'
  return isRead && token === 'right' && isOwnSite(origin, site)
}

function isOwnSite(origin: string | undefined, site: string | undefined): boolean {
  if (origin === 'null') return site !== 'cross-site'
  if (origin === undefined) return site !== 'cross-site' && site !== 'same-site'
  return origin === OWN
}

const FOREIGN = [
  ['http://evil.test', 'cross-site'],
  ['http://evil.app.test', 'same-site'],
  ['null', 'cross-site'],
  // A sandboxed frame of a sibling host.
  ['null', 'same-site'],
] as const

test('SEC-34 no changing route serves another site', async () => {
  const identity = await createTestIdentity()
  await identity.user(ADA)
  const [ada, other] = [identity.browser(), identity.app()]
  await ada.signIn(ADA)
  await other.signIn(ADA)
  const { id } = (await other.send('GET', '/sessions/whoami')).body
  const before = await stateOf(identity)
  const routes = identity.publicApp.routes.filter(({ method, path }) => method !== 'ALL' && path !== '/*')
  const changing = routes.filter(({ method }) => !['GET', 'OPTIONS'].includes(method))
  assert.ok(changing.length >= 8)
  for (const { method, path } of changing) {
    for (const [origin, site] of FOREIGN) {
      const headers = { origin, 'sec-fetch-site': site }
      const answer = await ada.send(method, path.replace(':id', id), { method: 'password' }, { headers })
      assert.equal(JSON.stringify(answer.headers.getSetCookie()).includes('ory_st_'), false)
      if (path !== '/sessions/whoami') assert.ok(answer.status >= 300, `${method} ${path}: ${answer.status}`)
    }
  }
  assert.deepEqual(await stateOf(identity), before)
  assert.equal((await ada.delete('/sessions')).status, 200)
})

test('SEC-34 the form of another site, sent without cookies, replaces none', async () => {
  const identity = await createTestIdentity()
  const headers = {
    origin: 'http://evil.test',
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  }
  const paths = identity.publicApp.routes.map(({ path }) => path).filter((path) => path !== '/*')
  for (const path of new Set([...paths, '/unknown'])) {
    const { headers: answered } = await identity
      .browser()
      .send('POST', path.replace(':id', crypto.randomUUID()), { method: 'password' }, { headers })
    assert.deepEqual(answered.getSetCookie(), [], path)
  }
})

/** State that a refused request must not change. */
async function stateOf(identity: TestIdentity) {
  const { body: identities } = await identity.admin('GET', '/admin/identities')
  const { body: sessions } = await identity.admin('GET', '/admin/sessions?active=true')
  return { identities, sessions, mails: await identity.listMails(1000) }
}

async function opener(identity: TestIdentity, kind: string): Promise<Browser> {
  const browser = identity.browser()
  if (kind === 'settings') await browser.signIn(ADA)
  return browser
}

async function send(
  browser: Browser,
  flow: FlowAnswer,
  cell: Cell,
  form: Record<string, string>,
): Promise<Answer> {
  const { type, origin, site, token } = cell
  const csrf_token = token === 'right' ? String(tokenOf(flow)) : 'A'.repeat(88)
  const fields = { ...form, csrf_token }
  const raw = type.toLowerCase().includes('json')
    ? JSON.stringify(nested(fields))
    : `${new URLSearchParams(fields)}`
  const headers = {
    'content-type': type,
    ...(origin === undefined ? {} : { origin }),
    ...(site === undefined ? {} : { 'sec-fetch-site': site }),
  }
  return await browser.send('POST', flow.body.ui.action, {}, { raw, headers })
}

function nested(fields: Record<string, string>): object {
  const traits = Object.entries(fields).filter(([name]) => name.startsWith('traits.'))
  const rest = Object.entries(fields).filter(([name]) => !name.startsWith('traits.'))
  const inside = Object.fromEntries(traits.map(([name, value]) => [name.slice(7), value]))
  return { ...Object.fromEntries(rest), ...(traits.length > 0 ? { traits: inside } : {}) }
}
