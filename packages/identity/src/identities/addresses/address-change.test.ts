import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Credential } from '../../storage/identities/credentials.ts'
import { withoutSuspects } from './address-change.ts'

const LONG_BEFORE = '2026-01-01T00:00:00.000Z'
const JUST_BEFORE = '2026-01-07T00:00:00.000Z'
const CHANGED = '2026-01-08T00:00:00.000Z'
const AFTER = '2026-01-09T00:00:00.000Z'

function credential(type: string, config: object, dates: Partial<Credential> = {}): Credential {
  return {
    ...{ identity_id: 'user', type, config: config as Credential['config'], version: 1 },
    ...{ identifiers: ['an identifier'], created_at: LONG_BEFORE, updated_at: LONG_BEFORE, ...dates },
  }
}

const suspects = (...credentials: Credential[]) => withoutSuspects(credentials, { created_at: CHANGED })

test('an undo removes the password and all newer credentials', () => {
  const totp = credential('totp', {}, { created_at: AFTER })
  assert.deepEqual(suspects(credential('password', {}), totp), { remove: ['password', 'totp'], put: [] })
})

test('an undo removes credentials from the days before the change', () => {
  const totp = credential('totp', {}, { created_at: JUST_BEFORE })
  assert.deepEqual(suspects(totp), { remove: ['totp'], put: [] })
})

test('an undo removes backup codes if regenerated since', () => {
  assert.deepEqual(suspects(credential('lookup_secret', {})), { remove: [], put: [] })
  const again = credential('lookup_secret', {}, { updated_at: AFTER })
  assert.deepEqual(suspects(again), { remove: ['lookup_secret'], put: [] })
})

test('an undo removes only the keys and accounts added since', () => {
  const [old, added] = [
    { provider: 'github', subject: '1', connected_at: LONG_BEFORE },
    { provider: 'github', subject: '2', connected_at: AFTER },
  ]
  const { remove, put } = suspects(credential('oidc', { providers: [old, added] }))
  assert.deepEqual(
    [remove, put?.[0]?.identifiers, put?.[0]?.config],
    [[], ['github:1'], { providers: [old] }],
  )
  const keys = {
    credentials: [
      { id: 'a', added_at: LONG_BEFORE },
      { id: 'b', added_at: AFTER },
    ],
    user_handle: 'x',
  }
  const kept = suspects(credential('webauthn', keys)).put?.[0]
  assert.deepEqual(kept?.config, { credentials: [{ id: 'a', added_at: LONG_BEFORE }], user_handle: 'x' })
  assert.deepEqual(kept?.identifiers, ['an identifier'])
  assert.deepEqual(suspects(credential('oidc', { providers: [added] })), { remove: ['oidc'], put: [] })
})
