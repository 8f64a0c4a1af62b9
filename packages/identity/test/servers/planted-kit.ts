import assert from 'node:assert/strict'
import { type Answer, type FlowAnswer, nodeOf } from '../../src/testing/answers.ts'
import type { Browser } from '../../src/testing/clients.ts'
import { createTestIdentity, type TestIdentity } from '../kit/kit.ts'
import { ADA, linkTo } from '../kit/recovery-kit.ts'
import { callbackOf, formOf, GRACE, parts, providerEntry, signInWith } from './oidc-kit.ts'
import { startOpenIdProvider } from './openid-provider.ts'

export const BY_CODE = { code: { passwordless_enabled: true } }

export type Prove = (identity: TestIdentity, browser: Browser) => Promise<FlowAnswer>

export const VERIFICATIONS: Record<string, Prove> = {
  'opens the emailed link': async (identity, browser) => {
    const form = await openLink(identity, browser)
    return await browser.submit(form, { method: 'code', code: nodeOf(form, 'code')?.value })
  },
  'asks for a code': (identity, browser) => byCode(identity, browser, 'verification'),
}

export const REQUIRED = {
  flows: {
    login: { after: { hooks: [{ hook: 'verification' }] } },
    registration: { after: { password: { hooks: [{ hook: 'show_verification_ui' }] } } },
  },
}

export async function planted() {
  const acme = await startOpenIdProvider({ redirect_uris: [callbackOf('acme')] })
  const mapper = ({ claims }: { claims: { email: string } }) => ({
    identity: { traits: { email: claims.email } },
  })
  const entry = providerEntry('acme', { issuer_url: acme.issuer, mapper })
  const identity = await createTestIdentity(
    {
      selfservice: {
        methods: { ...BY_CODE, oidc: { enabled: true, config: { providers: [entry] } } },
        flows: { registration: { after: { oidc: { hooks: [{ hook: 'session' }] } } } },
      },
    },
    parts(acme),
  )
  const user = { ...GRACE, email: ADA, email_verified: false }
  const signIn = Object.assign(
    async (browser: Browser) => {
      await signInWith(browser, acme, user)
      return (await browser.whoami()).status
    },
    { visit: acme.visit },
  )
  const planter = identity.browser()
  assert.equal(await signIn(planter), 200)
  return { identity, planter, signIn }
}

export async function byCode(identity: TestIdentity, browser: Browser, kind: 'verification' | 'recovery') {
  const asked = await browser.submit(await browser.open(kind), { method: 'code', email: ADA })
  const done = await browser.submit(asked, { method: 'code', code: await identity.code(ADA) })
  // A script is redirected with 422.
  return kind === 'recovery' && done.status === 422 ? { ...done, status: 200 } : done
}

export async function loginAfter(browser: Browser, asked: Answer): Promise<FlowAnswer> {
  assert.equal(asked.status, 422, JSON.stringify(asked.body))
  return await formOf(browser, { ...asked, location: String(asked.body.redirect_browser_to) })
}

export async function openLink(identity: TestIdentity, browser: Browser): Promise<FlowAnswer> {
  return await formOf(browser, await browser.navigate(await linkTo(identity, ADA)))
}
