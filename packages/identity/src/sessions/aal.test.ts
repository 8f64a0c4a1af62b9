import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseConfig } from '../config/config.ts'
import type { SessionAndIdentity } from '../storage/sessions/sessions.ts'
import type { ProofMethod } from '../wire/session.ts'
import { isPrivileged } from './aal.ts'

const NOW = '2031-04-02T09:00:00.000Z'

test('allows changing credentials after a recent authentication', () => {
  assert.equal(isPrivileged(service(), session(['password', 14])), true)
  assert.equal(isPrivileged(service(), session(['password', 15])), false)
})

test('SEC-12 a recovery allows adding any credential until a sign-in would expire', () => {
  for (const method of ['code_recovery', 'link_recovery'] as const) {
    assert.equal(isPrivileged(service(), session(['password', 600], [method, 14])), true)
    assert.equal(isPrivileged(service(), session(['password', 600], [method, 15])), false)
  }
})

test('requires no recent authentication if disabled', () => {
  const open = service({ flows: { settings: { privileged_session_max_age: '0s' } } })
  assert.equal(isPrivileged(open, session(['password', 600])), true)
})

function service(selfservice: object = {}) {
  const { config } = parseConfig({
    dsn: 'memory',
    dev: true,
    selfservice: {
      default_browser_return_url: 'http://app.test/',
      flows: { settings: { privileged_session_max_age: '15m' } },
      ...selfservice,
    },
    identity: { schemas: [{ id: 'default', schema: {} }] },
  })
  return { config, now: () => new Date(NOW) }
}

/** Each proof: a method and the minutes since its use. */
function session(...proofs: readonly (readonly [ProofMethod, number])[]): SessionAndIdentity {
  const methods = proofs.map(([method, minutes]) => ({
    method,
    aal: 'aal1',
    completed_at: new Date(Date.parse(NOW) - minutes * 60_000).toISOString(),
  }))
  return { session: { methods } } as unknown as SessionAndIdentity
}
