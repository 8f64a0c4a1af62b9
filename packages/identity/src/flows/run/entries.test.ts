import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Caller } from '../../contract/caller.ts'
import type { Context, Step, Strategy } from '../../contract/contract.ts'
import { newCsrfSecret } from '../../crypto/csrf.ts'
import { FormError, ProtocolError } from '../../errors/errors.ts'
import { METRICS } from '../../metrics/catalogue.ts'
import { createMetrics } from '../../metrics/metrics.ts'
import { openDatabase } from '../../storage/db.ts'
import { messages } from '../../ui/messages.ts'
import { input } from '../../ui/nodes.ts'
import type { FlowStages, Outcome } from '../form/decision.ts'
import { replacement } from '../form/replacement.ts'
import { openFlow, readFlow, submitFlow } from './entries.ts'

// Tests common behavior with minimal stages and a minimal strategy.

const guess: Step<'verification', string> = {
  nodes: (_ctx, flow) => [input('code', flow.state === 'sent_email' ? 'guess' : 'name', 'text')],
  parse(_ctx, _flow, values) {
    if (values.name === undefined) throw new FormError(messages.required('name'), 'name')
    return String(values.name)
  },
  async submit(_ctx, flow, name) {
    if (name === 'stay') return { kind: 'stay', flow: { ...flow, state: 'sent_email', active: 'code' } }
    if (name === 'redirect')
      return { kind: 'redirect', flow, url: 'http://elsewhere.test/', continuity_token: 'a token' }
    if (name === 'bug') throw new Error('a bug')
    return {
      kind: 'completed',
      flow,
      completion: { identity_id: '', address_id: name, consume: { code_id: name } },
    }
  },
}

const strategy: Strategy = {
  id: 'code',
  group: 'code',
  admin: undefined,
  enabled: () => true,
  steps: { verification: guess },
}

const stages: FlowStages<'verification'> = {
  kind: 'verification',
  start: async () => ({ fields: { active: 'code' } }),
  complete: async (_ctx, { flow, completion }) => {
    return { kind: 'finished', flow, body: completion, url: 'http://app.test/' }
  },
  replace: (ctx, flow) =>
    replacement(ctx, 'verification', flow, messages.verificationFlowExpired(flow.expires_at), (next) => ({
      kind: 'form',
      flow: next,
      status: 400,
    })),
}

test('shows an invalid form again with its error', async () => {
  const { ctx, caller, flow } = await opened()
  const outcome = await send(ctx, caller, flow, { method: 'code' })
  assert.ok(outcome.kind === 'form')
  assert.equal(outcome.status, 400)
  const [, field] = outcome.flow.ui.nodes ?? []
  assert.equal(field?.messages[0]?.id, 4000002)
})

test('rejects reading or submitting a form in another browser', async () => {
  const { ctx, caller, flow } = await opened()
  const stranger = { ...caller, csrf: { ...caller.csrf, secret: newCsrfSecret() } }
  const foreign = send(ctx, stranger, flow, { method: 'code', name: 'x', csrf_token: flow.csrf_token })
  await assert.rejects(foreign, (error) => error instanceof ProtocolError && error.parts.status === 403)
  const fetched = readFlow(ctx, stages, flow.id, stranger)
  await assert.rejects(fetched, (error) => error instanceof ProtocolError && error.parts.status === 403)
})

test("ends the request by the step's result", async () => {
  const { ctx, caller, flow } = await opened()
  const token = { method: 'code', csrf_token: flow.csrf_token }
  const done = await send(ctx, caller, flow, { ...token, name: 'ada' })
  assert.ok(done.kind === 'finished')
  const leaving = await send(ctx, caller, flow, { ...token, name: 'redirect' })
  assert.ok(leaving.kind === 'elsewhere' && leaving.url === 'http://elsewhere.test/')
  const staying = await send(ctx, caller, flow, { ...token, name: 'stay' })
  assert.ok(staying.kind === 'form' && staying.flow.state === 'sent_email')
  await assert.rejects(send(ctx, caller, flow, { ...token, name: 'bug' }), /a bug/)
})

test('returns the stored flow to both concurrent submissions', async () => {
  const { ctx, caller, flow } = await opened()
  const values = { method: 'code', csrf_token: flow.csrf_token, name: 'stay' }
  const [one, two] = await Promise.all([send(ctx, caller, flow, values), send(ctx, caller, flow, values)])
  assert.ok(one.kind === 'form' && two.kind === 'form')
  const stored = await readFlow(ctx, stages, flow.id, caller)
  assert.ok(stored.kind === 'opened')
  assert.deepEqual([one.flow.version, two.flow.version], [stored.flow.version, stored.flow.version])
})

test('rejects an expired flow', async () => {
  const { ctx, caller, flow } = await opened()
  const later = { ...ctx, now: () => new Date(Date.parse(flow.expires_at)) }
  const outcome = await send(later, caller, flow, {
    method: 'code',
    name: 'ada',
    csrf_token: flow.csrf_token,
  })
  assert.ok(outcome.kind === 'form')
  assert.notEqual(outcome.flow.id, flow.id)
  assert.equal(outcome.flow.ui.messages?.[0]?.id, 4070005)
})

async function opened() {
  const ctx = await context()
  const caller = newCaller()
  const outcome = await openFlow(ctx, stages, 'browser', new URLSearchParams(), caller)
  assert.ok(outcome.kind === 'opened')
  return { ctx, caller, flow: outcome.flow }
}

function send(
  ctx: Context,
  caller: Caller,
  flow: { readonly id: string },
  values: Record<string, unknown>,
): Promise<Outcome> {
  return submitFlow(ctx, stages, { flow_id: flow.id, values, caller })
}

async function context(): Promise<Context> {
  const verification = {
    enabled: true,
    ui_url: 'http://app.test/verify',
    before: { hooks: [] },
    lifespan: 60_000,
    use: 'code',
  }
  const flows = { verification }
  const selfservice = { default_browser_return_url: 'http://app.test/', allowed_return_urls: [], flows }
  const identity = { default_schema_id: 'default', schemas: [{ id: 'default' }] }
  const config = { serve: { public: { base_url: 'http://identity.test/' } }, selfservice, identity }
  const db = await openDatabase('memory')
  const now = () => new Date('2031-04-02T09:00:00.000Z')
  const schemas = { default: { leaves: [], objects: [] } }
  const metrics = createMetrics(METRICS)
  const afterCommit = (effect: () => void) => effect()
  const secrets = { mac: (_purpose: string, text: string) => text }
  const parts = { db, config, now, schemas, metrics, afterCommit, secrets, strategies: [strategy] }
  return parts as unknown as Context
}

function newCaller(): Caller {
  return {
    json: true,
    accepts_json: true,
    accepts_page: false,
    url: '/self-service/verification/browser',
    credential: undefined,
    csrf: { secret: newCsrfSecret(), sent: true, cookie_header: true, ajax: true, foreign_origin: false },
    request_id: 'a-request',
    client_address: undefined,
    device_cookie: undefined,
    device: { ip_address: '', user_agent: '', location: '' },
    continuity_tokens: [],
    origin: undefined,
    cookie_names: ['csrf_token'],
    raw: { method: 'POST', headers: {}, cookies: {} },
  }
}
