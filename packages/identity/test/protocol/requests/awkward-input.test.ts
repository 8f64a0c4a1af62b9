import assert from 'node:assert/strict'
import { JSON_BODY, tokenOf } from '../../../src/testing/answers.ts'
import { RP } from '../../../src/testing/authenticator.ts'
import type { Browser } from '../../../src/testing/clients.ts'
import { awkwardJson, fill, PIECES, TEXT_PIECES } from '../../input/awkward.ts'
import { ADMIN_BODIES, ALONGSIDE, FORMS, METHOD_OF } from '../../input/awkward-fields.ts'
import { assertCheap } from '../../input/processor-time.ts'
import { few } from '../../input/sample.ts'
import { testOn } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'
import { ADA } from '../../kit/recovery-kit.ts'

// Quadratic work takes seconds.
const BYTES = 60_000
const JSON_BYTES = 14_000
const EVERYTHING = {
  // Read everything.
  limits: { password: 'off', code: 'off', mail: 'off', registration: 'off', flow: 'off', provider: 'off' },
  selfservice: {
    methods: {
      totp: { enabled: true },
      lookup_secret: { enabled: true },
      code: { passwordless_enabled: true },
      link: { enabled: true },
      passkey: { enabled: true, config: { rp: RP } },
    },
    flows: { settings: { ui_url: 'http://app.test/settings' } },
  },
}
const FORM_MEMBERS = ['traits', 'transient_payload', 'identifier', 'password', 'email', 'code', '__proto__']
const ADMIN_MEMBERS = ['traits', 'metadata_public', 'credentials', 'identities', 'identity_id', 'path']
const PUBLIC_PATHS = [
  ...[
    '/sessions/whoami',
    '/self-service/login/browser',
    '/self-service/registration/api',
    '/self-service/errors',
  ],
  ...[
    '/self-service/login/flows',
    '/self-service/recovery',
    '/self-service/methods/oidc/callback/x',
    '/schemas',
  ],
  ...['/self-service/logout', '/sessions/token-exchange', '/sessions', '/health/ready', '/nowhere'],
]
const ADMIN_PATHS = ['/identities', '/sessions', '/courier/messages', '/admin/identities', '/nowhere']
const HEADERS = [
  ...[
    ['cookie', ''],
    ['cookie', 'x='],
    ['cookie', 'ory_kratos_session='],
    ['cookie', 'device='],
    ['x-session-token', ''],
    ['authorization', ''],
    ['authorization', 'Bearer '],
  ],
  ...['accept', 'content-type', 'user-agent', 'origin', 'referer', 'x-forwarded-for', 'forwarded'].map(
    (name) => [name, ''],
  ),
  ...['accept-language', 'sec-fetch-site', 'sec-fetch-mode', 'x-request-id', 'if-none-match'].map((name) => [
    name,
    '',
  ]),
] as unknown as readonly (readonly [string, string])[]
const QUERIES = [
  'return_to',
  'flow',
  'id',
  'aal',
  'code',
  'token',
  'state',
  'tokenize_as',
  'page_token',
  'ids',
  'credentials_identifier',
  'preview_credentials_identifier_similar',
  'recipient',
  'x',
]

for (const kind of Object.keys(FORMS) as (keyof typeof FORMS)[]) {
  testOn('SQLite', `SEC-39 no crafted input in a ${kind} form blocks the event loop`, async () => {
    const identity = await createTestIdentity(EVERYTHING)
    await identity.user(ADA)
    const browser = identity.browser()
    if (kind === 'settings') await browser.signIn(ADA)
    const { method, fields } = FORMS[kind]
    let form = await browser.open(kind)
    const common = { csrf_token: String(tokenOf(form)), method }
    for (let warm = 0; warm < 20; warm++) await sendForm(browser, form.body.ui.action, common)
    for (const piece of few(kind, TEXT_PIECES, 4)) {
      form = await browser.open(kind)
      const { action } = form.body.ui
      for (const values of bodiesWith(piece, fitting(piece, jsonLength))) {
        const name = `${JSON.stringify(piece)} in ${Object.keys(values)}`
        await assertAnswered(name, () => browser.send('POST', action, { ...common, ...values }, {}))
      }
      for (const values of bodiesWith(
        piece,
        fitting(piece, (text) => encoded(text).length),
      )) {
        const name = `${JSON.stringify(piece)} in ${Object.keys(values)} of a form`
        await assertAnswered(name, () => sendForm(browser, action, { ...common, ...values }))
      }
      await assertAnswered(piece, () =>
        browser.send('POST', action, {}, { raw: fitting(piece, Buffer.byteLength) }),
      )
    }

    function bodiesWith(piece: string, text: string): Record<string, string>[] {
      const inFields = few(`${kind} ${piece}`, fields, 3).map((field) => ({
        ...(METHOD_OF[field] && { method: METHOD_OF[field] }),
        ...ALONGSIDE[field],
        [field]: text,
      }))
      return [...inFields, { [text]: 'x' }, { [`traits.${text}`]: 'x' }]
    }
  })

  testOn('SQLite', `SEC-39 SEC-41 no JSON in a ${kind} form blocks or breaks the event loop`, async () => {
    const identity = await createTestIdentity(EVERYTHING)
    await identity.user(ADA)
    const browser = identity.browser()
    if (kind === 'settings') await browser.signIn(ADA)
    const form = await browser.open(kind)
    const common = JSON.stringify({ csrf_token: String(tokenOf(form)), method: FORMS[kind].method }).slice(1)
    const { action } = form.body.ui
    for (let warm = 0; warm < 20; warm++) await browser.send('POST', action, { method: 'password' }, {})
    for (const member of few(kind, FORM_MEMBERS, 2))
      for (const json of awkwardJson(member, BYTES - 500))
        for (const raw of [json, json.replace('{', () => `{${common.slice(0, -1)},`)])
          await assertAnswered(`${raw.slice(0, 60)}…`, () => browser.send('POST', action, {}, { raw }))
    assert.deepEqual(Object.keys(Object.prototype), [])
  })
}

const PORTS = {
  public: ({ publicApp }: TestIdentity) => [publicApp, 'http://identity.test', PUBLIC_PATHS] as const,
  admin: ({ adminApp }: TestIdentity) => [adminApp, 'http://127.0.0.1:4434', ADMIN_PATHS] as const,
}

for (const [port, open] of Object.entries(PORTS)) {
  testOn('SQLite', `SEC-39 no header, path or query on the ${port} port blocks the event loop`, async () => {
    const [app, base, paths] = open(await createTestIdentity(EVERYTHING))
    const get = (path: string, headers: Record<string, string> = {}) => app.request(base + path, { headers })
    for (const path of paths) for (let warm = 0; warm < 20; warm++) await get(path, { accept: 'text/html' })
    for (const piece of few(port, PIECES, 4)) {
      const value = `${fill(piece, 14_000)}y`
      for (const [name, before] of HEADERS)
        await assertAnswered(`${name}: ${piece}`, () => get(paths[0] ?? '/', { [name]: before + value }))
    }
    for (const piece of few(`${port} text`, TEXT_PIECES, 3)) {
      const text = `${fill(encodeURIComponent(piece.toWellFormed()), 8_000)}y`
      const addresses = paths.flatMap((path) =>
        [`/${text}`, ...QUERIES.map((name) => `?${name}=${text}`)].map((end) => path + end),
      )
      for (const address of addresses) await assertAnswered(address.slice(0, 60), () => get(address))
    }
  })
}

testOn('SQLite', 'SEC-39 SEC-41 no JSON on the admin port blocks or breaks the event loop', async () => {
  const identity = await createTestIdentity(EVERYTHING)
  const { id } = (await identity.admin('POST', '/identities', { traits: { email: ADA } })).body
  const send = async (method: string, path: string, body: string) =>
    await identity.adminApp.request(`http://127.0.0.1${path}`, { method, body, headers: JSON_BODY })
  const calls = [
    ['POST', '/identities'],
    ['PATCH', '/identities'],
    ['PUT', `/identities/${id}`],
    ['PATCH', `/identities/${id}`],
    ['POST', '/recovery/code'],
  ] as const
  for (const [method, path] of calls) {
    for (let warm = 0; warm < 20; warm++) await send(method, path, '{"traits":{"email":1}}')
    for (const member of few(path, ADMIN_MEMBERS, 2))
      for (const json of awkwardJson(member, JSON_BYTES))
        await assertAnswered(`${method} ${path} ${json.slice(0, 60)}…`, () => send(method, path, json))
  }
})

testOn('SQLite', 'SEC-39 no text on the admin port blocks the event loop', async () => {
  const identity = await createTestIdentity(EVERYTHING)
  const { id } = (await identity.admin('POST', '/identities', { traits: { email: ADA } })).body
  const send = async (method: string, path: string, body: string) =>
    await identity.adminApp.request(`http://127.0.0.1${path}`, { method, body, headers: JSON_BODY })
  const calls = [
    ...['POST /identities', 'PATCH /identities', `PUT /identities/${id}`, `PATCH /identities/${id}`],
    ...['POST /recovery/code', 'POST /recovery/link', `POST /identities/${id}/verification`],
  ].map((call) => call.split(' '))
  for (const [method = '', path = ''] of calls)
    for (let warm = 0; warm < 20; warm++) await send(method, path, '{"traits":{"email":1}}')
  for (const piece of few('admin text', TEXT_PIECES, 3)) {
    const text = fitting(piece, jsonLength)
    for (const [index, bodyWith] of ADMIN_BODIES.entries())
      for (const [method = '', path = ''] of few(`${piece} ${index}`, calls, 3))
        await assertAnswered(`${JSON.stringify(piece)} in ${method} ${path} ${index}`, () =>
          send(method, path, JSON.stringify(bodyWith(text))),
        )
  }
})

testOn('SQLite', 'SEC-39 fifteen thousand fields cost no more processor time than two', async () => {
  const identity = await createTestIdentity()
  const browser = identity.browser()
  const names = Array.from({ length: 15_500 }, (_, n) => n.toString(36)).join('&')
  await sendRaw(browser, '/self-service/login', 'a=b')
  await assertAnswered('many fields', () => sendRaw(browser, '/self-service/login', names))
})

async function assertAnswered(
  name: string,
  work: () => { status: number } | Promise<{ status: number }>,
): Promise<void> {
  await assertCheap(name, async () => {
    const { status } = await work()
    assert.ok(status < 500, `${status} for ${name}`)
  })
}

function fitting(piece: string, lengthOf: (text: string) => number): string {
  const text = fill(piece, 1_000)
  return fill(piece, Math.floor((BYTES * 1_000) / lengthOf(text)))
}

function jsonLength(text: string): number {
  return Buffer.byteLength(JSON.stringify(text))
}

function sendForm(browser: Browser, action: string, values: Record<string, string>) {
  // As a browser would, so that the text keeps its length.
  const pairs = Object.entries(values).map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
  return sendRaw(browser, action, pairs.join('&').slice(0, 65_000))
}

function encoded(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&+#]|\p{Cc}|\P{ASCII}/gu, encodeURIComponent)
    .replaceAll(' ', '+')
}

function sendRaw(browser: Browser, action: string, raw: string) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return browser.send('POST', action, {}, { raw, headers })
}
