import { setTimeout as delay } from 'node:timers/promises'
import type { Delivery, Mail } from '@ostiary/identity'
import { type DemoSwitches, type IdentityGateway, identityPrefix, ProductError } from '@ostiary/server/demo'
import { Hono } from 'hono'
import { z } from 'zod'
import type { Changes } from './changes.ts'

/** The first value of each switch is its default. */
const ownSwitches = z.object({
  clock: z.enum(['now', '+11 min', '+25 h', '+15 days']).default('now'),
  email: z.enum(['delivered', '10 s late', 'bounced', 'off']).default('delivered'),
  providers: z.enum(['normal', 'denied', 'slow', 'garbage', 'revoked']).default('normal'),
  identity: z.enum(['normal', '3 s late', 'status 503']).default('normal'),
})

type State = z.infer<typeof ownSwitches>

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const ahead = { now: 0, '+11 min': 11 * MINUTE, '+25 h': 25 * HOUR, '+15 days': 15 * 24 * HOUR }
const LATE_MS = 10_000
const deliveries: { readonly [value in State['email']]?: Delivery } = {
  bounced: { kind: 'refused', reason: '550 5.1.1 The mailbox does not exist' },
  off: { kind: 'unreachable', reason: '421 4.3.2 The mail server is off' },
}

export type Switches = ReturnType<typeof createSwitches>

/** The faults that visitors switch on, for all of them until the demo stops. */
export function createSwitches(
  realNow: () => Date,
  { announce }: Pick<Changes, 'announce'>,
  added: DemoSwitches = {},
) {
  const switches: Readonly<Record<string, z.ZodDefault<z.ZodEnum>>> = {
    ...ownSwitches.shape,
    ...Object.fromEntries(
      Object.entries(added).map(([name, { values }]) => [name, z.enum([...values]).default(values[0] ?? '')]),
    ),
  }
  const schema = z.strictObject(switches)
  let values = schema.parse({})
  let state = ownSwitches.parse(values)
  let emailSince = realNow()
  /** The time of the demo. */
  const now = () => new Date(realNow().getTime() + ahead[state.clock])
  const change = (next: typeof values) => {
    if (next.email !== state.email) emailSince = now()
    values = next
    state = ownSwitches.parse(next)
  }
  const describe = () =>
    Object.entries(switches).map(([name, one]) => ({
      name,
      ...(added[name] && { title: added[name].title, hint: added[name].hint }),
      value: values[name],
      values: one.unwrap().options,
    }))
  const routes = new Hono()
  routes.get('/', (c) => c.json(describe()))
  routes.patch('/', async (c) => {
    const changes = await c.req.json<object>().catch(() => undefined)
    const changed = schema.safeParse({ ...values, ...changes })
    if (!changed.success) throw new ProductError('bad_request', 400, 'There is no such switch or value')
    change(changed.data)
    return c.json(describe())
  })
  routes.delete('/', (c) => {
    change(schema.parse({}))
    return c.body(null, 204)
  })
  const send = async (): Promise<Delivery> => {
    announce()
    if (state.email === '10 s late') setTimeout(announce, LATE_MS).unref()
    return deliveries[state.email] ?? { kind: 'sent' }
  }
  /** The value of a switch that the product adds. */
  const value = (name: string) => (name in added ? String(values[name]) : undefined)
  const hasArrived = ({ created_at, status }: Pick<Mail, 'created_at' | 'status'>) => {
    if (status === 'abandoned') return false
    const created = new Date(created_at)
    if (state.email in deliveries) return created < emailSince
    const age = now().getTime() - created.getTime()
    // An email of a later clock has arrived.
    return state.email === 'delivered' || age < 0 || age >= LATE_MS
  }
  return { now, state: () => state, value, send, hasArrived, routes }
}

const LATENCY_MS = 3_000

/** The identity service, as the switch says. */
export function withSwitches(gateway: IdentityGateway, { state }: Switches): IdentityGateway {
  const interrupt = async () => {
    const { identity } = state()
    if (identity === '3 s late') await delay(LATENCY_MS)
    if (identity !== 'status 503') return undefined
    const error = { code: 503, status: 'Service Unavailable', message: 'The demo turned this service off.' }
    return Response.json({ error }, { status: 503, headers: { 'Retry-After': '1' } })
  }
  return {
    ...gateway,
    mountOn(app) {
      app.use(`${identityPrefix}/*`, async (_, next) => (await interrupt()) ?? (await next()))
      gateway.mountOn(app)
    },
    checkSession: async (credentials) =>
      (await interrupt()) ? { status: 503, retry_after: 1 } : await gateway.checkSession(credentials),
    call: async (path, headers) => (await interrupt()) ?? (await gateway.call(path, headers)),
  }
}
