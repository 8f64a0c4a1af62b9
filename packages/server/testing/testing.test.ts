import assert from 'node:assert/strict'
import { test } from 'node:test'
import { App } from '@ostiary/identity/testing'
import ownProduct from '../../../app/server.ts'
import type { Jobs } from '../src/product/jobs.ts'
import { createTestProduct } from './testing.ts'

const DAY_MS = 24 * 3600_000
const ADA = 'ada@example.com'

test('a test of a product reads emails, lets time pass and runs jobs', async () => {
  const days: string[] = []
  const jobs: Jobs = {
    nightly: { at: '02:00', run: ({ now }) => void days.push(now().toISOString().slice(0, 10)) },
    failing: {
      at: '02:00',
      run() {
        throw new Error('full')
      },
    },
  }
  await using app = await createTestProduct({ ...ownProduct, jobs })
  const ada = await app.signedIn(ADA)
  const client = new App((url, init) => app.fetch(`/.ory${url.replace(/^.*\/\.ory/, '')}`, init))
  await client.submit(await client.open('recovery'), { method: 'code', email: ADA })
  const [mail] = await app.mails(ADA)
  assert.equal(mail?.template_type, 'recovery_code_valid')
  assert.deepEqual(await app.mails('eve@example.com'), [])
  const call = async () => (await app.fetch('/api/v1/account/deletion', ada)).status
  assert.equal(await call(), 200)
  app.advance(3 * DAY_MS)
  assert.equal(await call(), 401)
  await app.runJob('nightly')
  assert.deepEqual(days, [new Date(Date.now() + 3 * DAY_MS).toISOString().slice(0, 10)])
  await assert.rejects(app.runJob('failing'), /^Error: full$/)
  await assert.rejects(app.runJob('weekly'), /There is no job weekly/)
})
