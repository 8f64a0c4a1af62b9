import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findAccount } from './accounts.ts'

test('SEC-123 an address that two accounts use names none of them', async () => {
  const found = ['a', 'b'].map((id) => ({
    id,
    traits: { email: `${id}@example.com` },
    metadata_public: null,
  }))
  const admin = { call: async () => found } as unknown as Parameters<typeof findAccount>[0]
  await assert.rejects(findAccount(admin, 'ada@example.com'), {
    message:
      'Several accounts have an address like ada@example.com. Name one by its id: a (a@example.com), b (b@example.com).',
  })
})
