import assert from 'node:assert/strict'
import type { Answer } from '../../src/testing/answers.ts'
import { Authenticator, optionsIn, RP } from '../../src/testing/authenticator.ts'
import type { App, Browser } from '../../src/testing/clients.ts'
import { PASSWORD } from '../../src/testing/clients.ts'
import { callbackOf, leave, parts, providerEntry } from '../servers/oidc-kit.ts'
import type { OpenIdProvider } from '../servers/openid-provider.ts'
import { startOpenIdProvider } from '../servers/openid-provider.ts'
import { ADA, SECOND_FACTORS } from './factors.ts'
import { TOKENIZER } from './held-credentials.ts'
import type { TestIdentity } from './kit.ts'
import { createTestIdentity, userSchema } from './kit.ts'
import { add } from './passkeys.ts'

export interface House {
  readonly identity: TestIdentity
  /** Ada's provider. */
  readonly acme?: OpenIdProvider
  readonly id: string
  readonly owner: Browser
}

export type Way<Caller = Browser> = (
  house: House,
) => Promise<(caller: Caller) => Promise<() => Promise<Answer>>>

export const FIRST_FACTORS: Record<string, Way<Browser | App>> = {
  'a password': async () => async (caller) => {
    const form = await caller.open('login')
    return () => caller.submit(form, { method: 'password', identifier: ADA, password: PASSWORD })
  },
  'an emailed code':
    async ({ identity }) =>
    async (caller) => {
      const form = await caller.submit(await caller.open('login'), { method: 'code', identifier: ADA })
      const code = await identity.code(ADA)
      return () => caller.submit(form, { method: 'code', identifier: ADA, code })
    },
  'a passkey': async ({ owner }) => {
    const key = new Authenticator()
    assert.equal((await add(owner, key)).status, 200)
    return async (caller) => {
      const flow = await caller.open('login')
      return () => caller.submit(flow, { passkey_login: key.get(optionsIn(flow, 'passkey_challenge')) })
    }
  },
}

export const BROWSER_FIRST_FACTORS: Record<string, Way> = {
  'a provider': async ({ acme, owner }) => {
    assert.ok(acme)
    acme.user = { sub: 'ada-1', email: ADA, email_verified: true }
    const sent: Answer = await owner.submit(await owner.open('settings'), { link: 'acme' })
    await owner.navigate(await acme.visit(sent.body.redirect_browser_to))
    return async (browser) => {
      const back = await acme.visit(await leave(browser, await browser.open('login'), 'acme'))
      return () => browser.navigate(back)
    }
  },
  'a security key': async ({ owner }) => {
    const key = new Authenticator()
    const settings = await owner.open('settings')
    const webauthn_register = key.create(optionsIn(settings, 'webauthn_register_trigger'))
    const added = { webauthn_register, webauthn_register_displayname: 'blue' }
    assert.equal((await owner.submit(settings, added)).status, 200)
    return async (browser) => {
      const flow = await browser.open('login')
      await browser.submit(flow, { method: 'webauthn', identifier: ADA })
      const asked = await browser.get(`/self-service/login/flows?id=${flow.body.id}`)
      return () =>
        browser.submit(asked, {
          identifier: ADA,
          webauthn_login: key.get(optionsIn(asked, 'webauthn_login_trigger')),
        })
    }
  },
}

export async function openHouse(way: string): Promise<House> {
  const acme =
    way === 'a provider' ? await startOpenIdProvider({ redirect_uris: [callbackOf('acme')] }) : undefined
  const providers = acme ? [providerEntry('acme', { issuer_url: acme.issuer })] : []
  const identity = await createTestIdentity(configWith(providers), acme ? parts(acme) : {})
  await identity.user(ADA)
  const owner = identity.browser()
  const { session } = (await owner.signIn(ADA)).body
  return { identity, ...(acme ? { acme } : {}), id: session.identity.id, owner }
}

function configWith(providers: readonly object[]) {
  const schema = structuredClone(userSchema)
  Object.assign(schema.properties.traits.properties.email['ory.sh/kratos'].credentials, {
    webauthn: { identifier: true },
    passkey: { display_name: true },
  })
  return {
    ...TOKENIZER,
    identity: { schemas: [{ id: 'default', schema }] },
    selfservice: {
      methods: {
        ...SECOND_FACTORS.selfservice.methods,
        code: { passwordless_enabled: true },
        link: { enabled: true },
        passkey: { enabled: true, config: { rp: RP } },
        webauthn: { enabled: true, config: { passwordless: true, rp: RP } },
        oidc: { enabled: providers.length > 0, config: { providers } },
      },
      flows: { settings: { ui_url: 'http://app.test/settings' } },
    },
  }
}
