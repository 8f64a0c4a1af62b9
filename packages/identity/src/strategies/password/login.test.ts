import assert from 'node:assert/strict'
import { test } from 'node:test'

import { parseConfig } from '../../config/config.ts'
import type { Context, SubmitContext } from '../../contract/contract.ts'
import { createOnce } from '../../contract/once.ts'
import type { HashRequest } from '../../crypto/passwords/hash-queue.ts'
import { createSecrets } from '../../crypto/secrets.ts'
import { FormError } from '../../errors/errors.ts'
import { openDatabase } from '../../storage/db.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { insertCredentials } from '../../storage/identities/credentials.ts'
import { insertIdentity } from '../../storage/identities/identities.ts'
import { login } from './login.ts'

const NOW = '2031-04-02T09:00:00.000Z'
const stamps = { created_at: NOW, updated_at: NOW }

test('SEC-14 computes one hash per sign-in, with or without an account', async () => {
  const { ctx, hashes } = await twoAccounts()
  for (const identifier of ['ada@example.com', 'nopassword@example.com', 'nobody@example.com']) {
    hashes.length = 0
    const input = { identifier, password: 'not this one' }
    const refused = login.submit(ctx, {} as Flow<'login'>, input, {} as SubmitContext)
    await assert.rejects(refused, FormError)
    assert.equal(hashes.length, 1, identifier)
  }
})

async function twoAccounts() {
  const db = await openDatabase('memory')
  for (const id of ['ada', 'nopassword']) {
    await insertIdentity(db, {
      id,
      schema_id: 'default',
      traits: {},
      metadata_public: null,
      metadata_admin: null,
      state: 'active',
      available_aal: 'aal1',
      addresses: [],
      ...stamps,
    })
    const config: Record<string, string> = id === 'ada' ? { hashed_password: 'stored' } : {}
    const identifiers = [`${id}@example.com`]
    await insertCredentials(db, [
      {
        identity_id: id,
        type: 'password',
        config,
        identifiers,
        version: 0,
        ...stamps,
      },
    ])
  }
  const hashes: string[] = []
  const count = async (turn: HashRequest | undefined) => {
    await turn?.begin?.()
    return hashes.push('one') < 0
  }
  const hasher = {
    verify: (_password: string, _hash: string, turn?: HashRequest) => count(turn),
    verifyDummy: (_password: string, turn?: HashRequest) => count(turn),
    needsRehash: () => false,
  }
  const { config } = parseConfig({
    dsn: 'memory',
    dev: true,
    selfservice: { default_browser_return_url: 'https://app.test/' },
    identity: { schemas: [{ id: 'default', schema: {} }] },
  })
  const secrets = createSecrets(config.secrets)
  const once = createOnce(config)
  const ctx = { db, config, hasher, secrets, once, now: () => new Date(NOW) } as unknown as Context
  return { ctx, hashes }
}
