import assert from 'node:assert/strict'
import { oneTimeCode } from '../../src/crypto/otp.ts'
import { type Answer, type FlowAnswer, secretIn, textIn } from '../../src/testing/answers.ts'
import type { App, Browser } from '../../src/testing/clients.ts'
import type { UiText } from '../../src/wire/wire.ts'
import { createTestIdentity, type Merge, type TestIdentity } from './kit.ts'

export const STEP_MS = 30_000

export const SECOND_FACTORS = {
  selfservice: {
    methods: { totp: { enabled: true, config: { issuer: 'Example App' } }, lookup_secret: { enabled: true } },
  },
}

export const ADA = 'ada@example.com'

export async function withAda(overrides: Merge = {}): Promise<{ identity: TestIdentity; browser: Browser }> {
  const identity = await createTestIdentity({ ...SECOND_FACTORS, ...overrides })
  const browser = await identity.signedIn(ADA)
  return { identity, browser }
}

export function codeOf(identity: Pick<TestIdentity, 'now'>, secret: string, offset = 0): string {
  return oneTimeCode(secret, identity.now().getTime() + offset * STEP_MS)
}

export function backupCodesIn(flow: Answer): string[] {
  const list = textIn(flow, 'lookup_secret_codes').context?.secrets as UiText[]
  return list.map(({ context }) => String(context?.secret))
}

export async function addTotp(
  identity: Pick<TestIdentity, 'now' | 'advance'>,
  caller: Browser | App,
): Promise<string> {
  const flow = await caller.open('settings')
  const secret = secretIn(flow)
  const saved = await caller.submit(flow, { method: 'totp', totp_code: codeOf(identity, secret) })
  assert.equal(saved.status, 200)
  identity.advance(STEP_MS)
  return secret
}

export async function addBackupCodes(caller: Browser | App): Promise<string[]> {
  const flow = await caller.open('settings')
  const made = await caller.submit(flow, { method: 'lookup_secret', lookup_secret_regenerate: true })
  const kept = await caller.submit(made, { method: 'lookup_secret', lookup_secret_confirm: true })
  assert.equal(kept.status, 200)
  return backupCodesIn(made)
}

export async function atSecondFactor(
  identity: TestIdentity,
): Promise<{ browser: Browser; flow: FlowAnswer }> {
  const browser = identity.browser()
  await browser.signIn(ADA)
  return { browser, flow: await browser.open('login', '?aal=aal2') }
}
