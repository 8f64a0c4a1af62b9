import assert from 'node:assert/strict'
import type { Answer, FlowAnswer } from '../../src/testing/answers.ts'
import { Authenticator, type Lie, optionsIn, RP } from '../../src/testing/authenticator.ts'
import type { Browser } from '../../src/testing/clients.ts'
import { createTestIdentity, type TestIdentity } from './kit.ts'

export const PASSKEYS = {
  selfservice: {
    methods: { passkey: { enabled: true, config: { rp: RP } } },
    flows: { settings: { ui_url: 'http://app.test/settings' } },
  },
}
export const ANOTHER_CHALLENGE = Buffer.alloc(32).toString('base64url')

export const service = () => createTestIdentity(PASSKEYS)

export async function withPasskey(identity: TestIdentity, email = 'ada@example.com') {
  const browser = await identity.signedIn(email)
  const key = new Authenticator()
  const added = await add(browser, key)
  assert.equal(added.status, 200)
  return { browser, key }
}

export async function add(browser: Browser, key: Authenticator, lie: Lie = {}): Promise<FlowAnswer> {
  const flow = await browser.open('settings')
  const passkey_settings_register = key.create(optionsIn(flow, 'passkey_create_data'), lie)
  return await browser.submit(flow, { passkey_settings_register })
}

export async function onlyPasskey(identity: TestIdentity, email = 'ada@example.com') {
  const key = new Authenticator()
  assert.equal((await register(identity.browser(), key, email)).status, 200)
  const browser = identity.browser()
  assert.equal((await enter(browser, key)).status, 200)
  return { browser, key }
}

export async function register(
  browser: Browser,
  key: Authenticator,
  email: string,
  lie: Lie = {},
): Promise<Answer> {
  const flow = await browser.open('registration')
  const passkey_register = key.create(optionsIn(flow, 'passkey_create_data'), lie)
  return await browser.submit(flow, { traits: { email }, passkey_register })
}

export async function enter(browser: Browser, key: Authenticator, lie: Lie = {}): Promise<Answer> {
  const flow = await browser.open('login')
  return await browser.submit(flow, { passkey_login: key.get(optionsIn(flow, 'passkey_challenge'), lie) })
}
