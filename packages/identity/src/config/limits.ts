import { z } from 'zod'
import { duration, section } from './values.ts'

export type LimitKind = keyof z.output<typeof limits>
/**
 * Strangers share the first four. `own`: a user's sessions and known devices. `allowance`: one
 * network at one exhausted account, `allowances`: all of them. `reserve`: one network once `total`
 * is reached.
 */
export type LimitScope =
  | 'account'
  | 'client'
  | 'network'
  | 'total'
  | 'own'
  | 'allowance'
  | 'allowances'
  | 'reserve'

/** `burst` at once, then one per `refill` milliseconds. */
export interface Limit {
  readonly burst: number
  readonly refill: number
}

const off = z.union([z.literal('off'), z.literal(false)]).transform(() => 'off' as const)

function limit(burst: number, refill: string) {
  const numbers = z.strictObject({
    burst: z.int().min(1).max(1_000_000).default(burst),
    refill: duration
      .refine((milliseconds) => milliseconds >= 1, { error: 'expected at least 1ms' })
      .prefault(refill),
  })
  return z
    .union([off, numbers], { error: 'expected off, or burst and refill such as { burst: 10, refill: 1m }' })
    .prefault({})
}

function kind<Shape extends Partial<Record<LimitScope, ReturnType<typeof limit>>>>(shape: Shape) {
  const scopes = z.strictObject(shape)
  const names = Object.keys(shape) as (keyof Shape)[]
  const none = off.transform(
    () => Object.fromEntries(names.map((name) => [name, 'off'])) as z.output<typeof scopes>,
  )
  return z
    .union([none, scopes], { error: `expected off, or limits for ${names.join(', ')}` })
    .prefault({} as never)
}

/** Our own keys. The waits of `account` and `own` double from a second up to `refill`. */
export const limits = section({
  /** Wrong passwords, and invalid responses of passkeys and security keys. */
  password: kind({
    account: limit(10, '1m'),
    client: limit(100, '6s'),
    network: limit(400, '1200ms'),
    total: limit(10_000, '100ms'),
    own: limit(10, '1m'),
    allowance: limit(5, '4h'),
    allowances: limit(500, '3m'),
    reserve: limit(20, '1m'),
  }),
  /** Wrong codes: emailed, of an authenticator app, or backup codes. */
  code: kind({
    account: limit(10, '15m'),
    client: limit(150, '1m'),
    network: limit(400, '15s'),
    total: limit(10_000, '1s'),
    own: limit(10, '15m'),
    allowance: limit(3, '12h'),
    allowances: limit(15, '96m'),
    reserve: limit(20, '1m'),
  }),
  mail: kind({
    account: limit(10, '1h'),
    client: limit(100, '1m'),
    network: limit(400, '15s'),
    total: limit(10_000, '100ms'),
    own: limit(10, '1h'),
    allowance: limit(2, '8h'),
    allowances: limit(100, '10m'),
    reserve: limit(20, '1m'),
  }),
  /** Notices per topic. Further ones are held for a digest. */
  notice: kind({ account: limit(10, '6m') }),
  registration: kind({
    account: limit(5, '12m'),
    client: limit(50, '1m'),
    network: limit(200, '15s'),
    total: limit(5_000, '200ms'),
    allowance: limit(2, '8h'),
    allowances: limit(100, '10m'),
    reserve: limit(20, '1m'),
  }),
  flow: kind({
    client: limit(1_000, '3s'),
    network: limit(4_000, '750ms'),
    total: limit(100_000, '10ms'),
    own: limit(100, '1m'),
    reserve: limit(100, '10s'),
  }),
  provider: kind({
    client: limit(100, '10s'),
    network: limit(400, '2500ms'),
    total: limit(10_000, '100ms'),
    own: limit(20, '1m'),
    reserve: limit(20, '1m'),
  }),
})

/** Those behind them only soften refusals. */
const REFUSING: Readonly<Partial<Record<string, string>>> = {
  account: 'at one account',
  client: 'of one client',
  network: 'of one network',
  total: 'of all clients together',
}

export function liftedLimits(configured: z.output<typeof limits>): string[] {
  return Object.entries(configured).flatMap(([kind, scopes]) =>
    Object.entries(scopes)
      .filter(([scope, limit]) => limit === 'off' && REFUSING[scope] !== undefined)
      .map(([scope]) => `limits.${kind}.${scope} is off: attempts ${REFUSING[scope]} are not limited`),
  )
}
