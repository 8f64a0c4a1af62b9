import assert from 'node:assert/strict'
import type { Answer } from '../../src/testing/answers.ts'
import { Authenticator, optionsIn, RP } from '../../src/testing/authenticator.ts'
import { type App, type Browser, PASSWORD } from '../../src/testing/clients.ts'
import { callbackOf, leave, providerEntry } from '../servers/oidc-kit.ts'
import { type OpenIdProvider, startOpenIdProvider } from '../servers/openid-provider.ts'
import { ADA, addBackupCodes, addTotp, codeOf, SECOND_FACTORS } from './factors.ts'
import { TOKENIZER } from './held-credentials.ts'
import { createTestIdentity, type Merge, merge, type TestIdentity, userSchema } from './kit.ts'
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
    await addSecurityKey(owner, key)
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

/** After the first factor. */
export const SECOND_WAYS: Record<string, Way> = {
  'an authenticator app': async ({ identity, owner }) => {
    const secret = await addTotp(identity, owner)
    return async (browser) => {
      const form = await browser.open('login', '?aal=aal2')
      return () => browser.submit(form, { method: 'totp', totp_code: codeOf(identity, secret) })
    }
  },
  'a backup code': async ({ owner }) => {
    const codes = await addBackupCodes(owner)
    return async (browser) => {
      const form = await browser.open('login', '?aal=aal2')
      return () => browser.submit(form, { method: 'lookup_secret', lookup_secret: codes.pop() })
    }
  },
  'a second security key': async ({ owner }) => {
    const key = new Authenticator()
    await addSecurityKey(owner, key)
    return async (browser) => {
      const form = await browser.open('login', '?aal=aal2')
      const webauthn_login = key.get(optionsIn(form, 'webauthn_login_trigger'))
      return () => browser.submit(form, { identifier: ADA, webauthn_login })
    }
  },
  'a second code':
    async ({ identity }) =>
    async (browser) => {
      const form = await browser.open('login', '?aal=aal2')
      const asked = await browser.submit(form, { method: 'code', address: ADA })
      const code = await identity.code(ADA)
      return () => browser.submit(asked, { method: 'code', code })
    },
}

export const RECOVERY_WAYS: Record<string, Way> = {
  'a recovery code':
    async ({ identity }) =>
    async (browser) => {
      const form = await browser.submit(await browser.open('recovery'), { method: 'code', email: ADA })
      const code = await identity.code(ADA)
      return () => browser.submit(form, { method: 'code', code })
    },
  'a link of an operator':
    async ({ identity, id }) =>
    async (browser) => {
      const made = await identity.admin('POST', '/admin/recovery/link', { identity_id: id })
      return () => browser.navigate(made.body.recovery_link)
    },
}

async function addSecurityKey(owner: Browser, key: Authenticator): Promise<void> {
  const settings = await owner.open('settings')
  const webauthn_register = key.create(optionsIn(settings, 'webauthn_register_trigger'))
  const added = { webauthn_register, webauthn_register_displayname: 'blue' }
  assert.equal((await owner.submit(settings, added)).status, 200)
}

interface Building {
  readonly overrides?: Merge
  /** Answers some of the service's own requests. */
  readonly answering?: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch
}

export async function openHouse(
  way: string,
  { overrides = {}, answering = (fetch) => fetch }: Building = {},
): Promise<House> {
  const acme =
    way === 'a provider' ? await startOpenIdProvider({ redirect_uris: [callbackOf('acme')] }) : undefined
  const providers = acme ? [providerEntry('acme', { issuer_url: acme.issuer })] : []
  const config = merge(configWith(providers), overrides)
  const identity = await createTestIdentity(config, { fetch: answering(acme?.fetch ?? fetch) })
  await identity.user(ADA)
  const owner = identity.browser()
  await owner.signIn(ADA)
  const [{ id }] = (await identity.admin('GET', '/admin/identities')).body
  return { identity, ...(acme ? { acme } : {}), id, owner }
}

export function configWith(providers: readonly object[]) {
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
