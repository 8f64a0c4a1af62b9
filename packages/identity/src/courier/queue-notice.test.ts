import assert from 'node:assert/strict'
import { newDsn, testOnEach as test } from '../../test/kit/databases.ts'
import type { Courier } from '../../test/servers/courier-kit.ts'
import { courier, MINUTE, order, server, start, untilMovingOn } from '../../test/servers/courier-kit.ts'
import { transact } from '../contract/transact.ts'
import { insertIdentity, type StoredIdentity } from '../storage/identities/identities.ts'
import { claimDueMessages, listMessages, type Message } from '../storage/messages.ts'
import { queueNotice } from './queue-notice.ts'
import type { HeldNotices, Notice } from './templates/notice-texts.ts'

const ADA = 'ada@example.com'
const MIDNIGHT = '2026-01-01T00:00:00.000Z'
const identity: StoredIdentity = {
  id: '00000000-0000-4000-8000-000000000001',
  schema_id: 'default',
  traits: {},
  metadata_public: null,
  metadata_admin: null,
  state: 'active',
  available_aal: 'aal1',
  created_at: MIDNIGHT,
  updated_at: MIDNIGHT,
  addresses: [],
}
const URL = 'https://app.example.com/settings'
const BURST = 10

test('SEC-72 loses none of a hundred parallel notices at two replicas', async () => {
  const dsn = await newDsn({ shared: true })
  const replicas = [await courier({ dsn }), await courier({ dsn })] as const
  await insertIdentity(replicas[0].ctx.db, identity)
  await Promise.all(Array.from({ length: 100 }, (_, n) => notice(replicas[n % 2]!)))
  const messages = await listMessages(replicas[0].ctx.db, {}, { limit: 1000 })
  assert.equal(messages.length, BURST + 1)
  assert.deepEqual(
    (await digests(replicas[0])).map((held) => held.map(({ times }) => times)),
    [[100 - BURST]],
  )
})

test('SEC-72 sends held notices in one email once the limit allows it', async (t) => {
  const { uri, received } = await server(t)
  const app = await courier({ uri })
  start(app)
  for (let times = 0; times < BURST + 2; times++) await notice(app)
  await notice(app, 'password_changed')
  await untilMovingOn(app, async () => received.length >= BURST + 1)
  const digest = () => received.find(({ data }) => data.includes('Recent activity in your account'))
  assert.equal(digest(), undefined)
  for (let times = 0; times < BURST; times++) await notice(app, 'password_changed')
  app.advance(6 * MINUTE)
  await untilMovingOn(app, async () => digest() !== undefined)
  const text = digest()?.data.replaceAll('=\r\n', '') ?? ''
  assert.match(text, /- A new device logged in to your account 2 times, first on 1 January 2026 at 00:00 UTC/)
  assert.match(text, /- Your password was changed on 1 January 2026/)
})

test('SEC-72 does not add to a digest that is being sent', async () => {
  const app = await courier()
  for (let times = 0; times < BURST + 3; times++) await notice(app)
  app.advance(6 * MINUTE)
  const now = app.ctx.now().toISOString()
  const claim = { type: 'email' as const, now, leased_until: after(app, MINUTE), limit: 100 }
  const claimed = await claimDueMessages(app.ctx.db, claim)
  assert.ok(claimed.some(isDigest))
  for (let times = 0; times < 3; times++) await notice(app)
  const times = (await digests(app)).flatMap((held) => held.map(({ times }) => times))
  assert.deepEqual(times.sort(), [2, 3])
})

test("SEC-72 starts a new digest when the old one's secret is gone", async () => {
  const dsn = await newDsn({ shared: true })
  const [before, after] = [await courier({ dsn }), await courier({ dsn, secret: 'b' })]
  for (let times = 0; times < BURST + 1; times++) await notice(before)
  for (let times = 0; times < BURST + 1; times++) await notice(after)
  const messages = await listMessages(after.ctx.db, {}, { limit: 1000 })
  assert.equal(messages.filter(isDigest).length, 2)
})

test('SEC-72 sends a week-old notice after an outage, but no code', async (t) => {
  const first = await server(t)
  await first.stop()
  const app = await courier({ uri: first.uri })
  await order(app.ctx)
  for (let times = 0; times < BURST + 2; times++) await notice(app)
  app.advance(7 * 24 * 60 * MINUTE)
  const back = await server(t, {}, first.port)
  start(app)
  await untilMovingOn(app, async () => back.received.length === BURST + 1)
  assert.ok(app.logs.some((line) => /^message abandoned .*login_code_valid/.test(line)))
})

async function notice({ ctx }: Courier, notice: Notice = 'new_device'): Promise<void> {
  const data = { notice, url: URL, at: ctx.now().toISOString() }
  await transact(ctx, (ctx) =>
    queueNotice(
      ctx,
      { notice, identity_id: identity.id, url: URL },
      { template_type: 'security_notice', recipient: ADA, data },
    ),
  )
}

async function digests({ ctx }: Courier): Promise<HeldNotices[][]> {
  const messages = await listMessages(ctx.db, {}, { limit: 1000 })
  return messages
    .filter(isDigest)
    .map(({ template_data = '' }) => JSON.parse(ctx.secrets.decrypt('courier', template_data)).held)
}

const isDigest = ({ template_type }: Message) => template_type === 'security_digest'

const after = ({ ctx }: Courier, milliseconds: number) =>
  new Date(ctx.now().getTime() + milliseconds).toISOString()
