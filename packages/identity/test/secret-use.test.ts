import assert from 'node:assert/strict'
import { listSecretUse } from '../src/serving.ts'
import { newDsn, testOnEach as test } from './kit/databases.ts'
import { ADA, addTotp, SECOND_FACTORS } from './kit/factors.ts'
import { createTestIdentity } from './kit/kit.ts'

const OLD = 'the old secret of the tests, long enough to be one'
const NEW = 'the new secret of the tests, long enough as well'

test('FLT-38 lists what each secret still encrypts', async () => {
  const dsn = await newDsn({ shared: true })
  const start = (...secrets: string[]) =>
    createTestIdentity({ ...SECOND_FACTORS, dsn, secrets: { default: secrets } })
  const before = await start(OLD)
  await before.user(ADA)
  const ada = before.browser()
  await ada.signIn(ADA)
  await addTotp(before, ada)
  await before.browser().register('before@example.com')
  await before.stop()
  const after = await start(NEW, OLD)
  await after.browser().register('after@example.com')
  await after.stop()
  const { uses, unreadable } = await listSecretUse(dsn, [NEW, OLD])
  const numbers = (kind: 'totp' | 'message') => [...uses, unreadable].map((use) => use[kind])
  assert.deepEqual(numbers('totp'), [0, 1, 0])
  const [fresh = 0, old = 0, unknown] = numbers('message')
  assert.ok(fresh > 0 && old > 0)
  assert.equal(unknown, 0)
  const alone = await listSecretUse(dsn, [NEW])
  assert.deepEqual([alone.unreadable.totp, alone.unreadable.message], [1, old])
})
