import type { TestContext } from 'node:test'
import { parseConfig } from '../../src/config/config.ts'
import type { Context } from '../../src/contract/contract.ts'
import { createOnce } from '../../src/contract/once.ts'
import { queueMail } from '../../src/courier/queue.ts'
import { memorySender } from '../../src/courier/senders/choose.ts'
import { createSmtpSender, loadSmtp } from '../../src/courier/senders/smtp.ts'
import { startWorker } from '../../src/courier/worker.ts'
import { createSecrets } from '../../src/crypto/secrets.ts'
import { createProductHooks } from '../../src/extension/product-hooks.ts'
import { METRICS } from '../../src/metrics/catalogue.ts'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { openDatabase } from '../../src/storage/db.ts'
import { findMessage, listMessages } from '../../src/storage/messages.ts'
import { atEnd, newDsn } from '../kit/databases.ts'
import { until } from '../kit/until.ts'
import { type Faults, type MailServer, startMailServer } from './mail-server.ts'

await loadSmtp()

/** Milliseconds, for a busy machine. */
const PATIENT = { connect: 60_000, greeting: 60_000, socket: 60_000, mail: 60_000 }
export const SECOND = 1000
export const MINUTE = 60 * SECOND

interface Parts {
  readonly uri?: string
  readonly dsn?: string
  readonly dev?: boolean
  readonly secret?: string
  readonly message_retries?: number
  readonly pull_wait?: string
}

export async function courier({
  uri,
  dsn: named,
  dev = true,
  secret = 'a',
  pull_wait = '5ms',
  ...parts
}: Parts = {}) {
  const dsn = named ?? (await newDsn())
  const { config } = parseConfig({
    dsn,
    dev,
    identity: { schemas: [{ id: 'default', schema: { type: 'object' } }] },
    selfservice: { default_browser_return_url: 'http://localhost:3000/' },
    secrets: { default: [secret.repeat(32)] },
    courier: {
      ...parts,
      worker: { pull_wait },
      smtp: {
        from_address: 'no-reply@app.example',
        ...(uri === undefined ? {} : { connection_uri: uri }),
      },
    },
  })
  const db = await openDatabase(dsn)
  let now = Date.UTC(2026, 0, 1)
  const logs: string[] = []
  const log = (fields: object, message: string) => logs.push(`${message} ${JSON.stringify(fields)}`)
  const ctx = {
    db,
    config,
    once: createOnce(config),
    metrics: createMetrics(METRICS),
    product: createProductHooks({}, db),
    afterCommit: (effect: () => void) => effect(),
    secrets: createSecrets(config.secrets),
    now: () => new Date(now),
    log: { debug: log, info: log, warn: log, error: log },
  } as unknown as Context
  atEnd(() => db.destroy())
  return { ctx, logs, advance: (milliseconds: number) => (now += milliseconds) }
}

export type Courier = Awaited<ReturnType<typeof courier>>

export function start({ ctx }: Courier) {
  const { connection_uri, ...smtp } = ctx.config.courier.smtp
  const sender = connection_uri === undefined ? memorySender : createSmtpSender(connection_uri, smtp, PATIENT)
  const worker = startWorker(ctx, 'email', sender)
  atEnd(() => worker.stop())
  return worker
}

export async function server(t: TestContext, faults: Faults = {}, port = 0): Promise<MailServer> {
  const started = await startMailServer(faults, { port })
  t.after(() => started.stop())
  return started
}

/**
 * Advances the clock by 200 ms per check: an attempt from before a change may still fail and pause
 * the worker.
 */
export async function untilMovingOn(app: Courier, condition: () => Promise<boolean>): Promise<void> {
  await until(() => {
    app.advance(SECOND / 5)
    return condition()
  })
}

export const order = (ctx: Context, recipient = 'ada@example.com', code = '004217') => {
  const expires_at = new Date(ctx.now().getTime() + 10 * MINUTE).toISOString()
  const data = { code, expires_in_minutes: 10 }
  return queueMail(ctx, {
    ...{ template_type: 'login_code_valid', recipient, identity_id: undefined, data, expires_at },
  })
}

export const statuses = async ({ ctx }: Courier) =>
  (await listMessages(ctx.db, {}, { limit: 1000 })).map(({ status }) => status)

export async function only({ ctx }: Courier) {
  const [message] = await listMessages(ctx.db, {}, { limit: 2 })
  return (await findMessage(ctx.db, message!.id))!
}
