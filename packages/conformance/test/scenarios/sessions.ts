import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import tokenizer from '../../tokenizer.jwks.json' with { type: 'json' }
import { openApp, openBrowser, refused } from '../callers.ts'
import { Absent, scenario } from '../target.ts'
import { isSignedOut, newUser, signedIn, signIn, signInApp } from '../users.ts'

export const sessions = [
  scenario('whoami says who is asking, since when and how', async (target) => {
    const { browser, email } = await signedIn(target)
    const session = await browser.api.toSession()
    assert.equal(session.active, true)
    assert.equal(session.authenticator_assurance_level, 'aal1')
    assert.deepEqual(
      session.authentication_methods?.map(({ method, aal }) => [method, aal]),
      [['password', 'aal1']],
    )
    assert.ok(Number(session.expires_at) > Number(session.issued_at))
    assert.deepEqual([session.identity?.state, session.identity?.traits], ['active', { email }])
    assert.equal(session.identity?.credentials, undefined, 'credentials are not shown')
    assert.equal(session.devices?.length, 1)
  }),

  scenario('whoami without a session, or with a wrong token, is refused', async (target) => {
    assert.equal((await refused(openBrowser(target).api.toSession())).status, 401)
    const app = openApp(target)
    assert.equal((await refused(app.toSession({ xSessionToken: 'ory_st_wrong' }))).status, 401)
  }),

  scenario('a session token is taken as a bearer too', async (target) => {
    const email = await newUser(target)
    const token = await signInApp(openApp(target), email)
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` }
    const answer = await fetch(`${target.publicUrl}/sessions/whoami`, { headers })
    assert.equal(answer.status, 200)
    assert.equal((await answer.json()).identity.traits.email, email)
  }),

  scenario('a user sees the other devices, and signs one out', async (target) => {
    const { browser, email } = await signedIn(target)
    const app = openApp(target)
    const xSessionToken = await signInApp(app, email)
    const { id } = await app.toSession({ xSessionToken })
    const listed = await browser.api.listMySessions()
    assert.ok(listed.some((one) => one.id === id))
    assert.ok(!listed.some((one) => one.id === undefined))
    await browser.api.disableMySession({ id })
    assert.ok(await isSignedOut(app, xSessionToken))
    assert.ok(!(await isSignedOut(browser.api)))
  }),

  scenario('the own session is not in the list of the others', async (target) => {
    const { browser } = await signedIn(target)
    const { id } = await browser.api.toSession()
    const others = await browser.api.listMySessions()
    assert.ok(!others.some((one) => one.id === id))
    assert.equal((await refused(browser.api.disableMySession({ id }))).status, 400)
  }),

  scenario('a user signs all other devices out', async (target) => {
    const email = await newUser(target)
    const app = openApp(target)
    const own = await signInApp(app, email)
    const other = await signInApp(app, email)
    const browser = openBrowser(target)
    await signIn(browser, email)
    const { count } = await app.disableMyOtherSessions({ xSessionToken: own })
    assert.ok(Number(count) >= 2)
    assert.ok(await isSignedOut(app, other))
    assert.ok(await isSignedOut(browser.api))
    assert.ok(!(await isSignedOut(app, own)))
    assert.deepEqual(await app.listMySessions({ xSessionToken: own }), [])
  }),

  scenario('no user signs another user out', async (target) => {
    const app = openApp(target)
    const theirs = await signInApp(app, await newUser(target))
    const { id } = await app.toSession({ xSessionToken: theirs })
    const { browser } = await signedIn(target)
    await browser.api.disableMySession({ id })
    assert.ok(!(await isSignedOut(app, theirs)))
  }),

  scenario('without a session there is no list', async (target) => {
    assert.equal((await refused(openApp(target).listMySessions())).status, 401)
    assert.equal((await refused(openBrowser(target).api.disableMyOtherSessions())).status, 401)
  }),

  scenario('whoami makes a signed token of the session', async (target) => {
    const { browser } = await signedIn(target)
    const tokenizeAs = 'conformance'
    const { id, identity, tokenized } = await browser.api.toSession({ tokenizeAs }).catch(() => {
      throw new Absent(`there is no template ${tokenizeAs} (session.whoami.tokenizer)`)
    })
    const { header, claims } = readToken(tokenized ?? '')
    assert.deepEqual([header.alg, header.kid], ['ES256', 'conformance'])
    assert.deepEqual([claims.sub, claims.sid], [identity?.id, id])
    assert.equal(Number(claims.exp) - Number(claims.iat), 600)
    const again = await browser.api.toSession({ tokenizeAs })
    assert.notEqual(readToken(again.tokenized ?? '').claims.jti, claims.jti)
  }),

  scenario('a token of a template that is not there is refused', async (target) => {
    const { browser } = await signedIn(target)
    assert.equal((await refused(browser.api.toSession({ tokenizeAs: 'nope' }))).status, 400)
  }),
]

function readToken(token: string): { header: Record<string, unknown>; claims: Record<string, unknown> } {
  const [header = '', claims = '', signature = ''] = token.split('.')
  const [jwk] = tokenizer.keys
  if (!jwk) throw new Error('the tokenizer has no key')
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  const signed = Buffer.from(`${header}.${claims}`)
  assert.ok(verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url')))
  const parse = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  return { header: parse(header), claims: parse(claims) }
}
