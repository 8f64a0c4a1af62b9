import { z } from 'zod'
import { duration } from './values.ts'

/** What is limited. */
export type LimitKind = keyof z.output<typeof limits>
/** The scope: an account, a client, its network, or all clients together. */
export type LimitScope = 'account' | 'client' | 'network' | 'total'

/** `burst` at once, then one more after each `refill` (milliseconds). */
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

/**
 * Our own keys. Using every flow from one client stays below these limits, an attack does not. An account's waits start
 * at a second and double up to `refill`; other scopes wait for the next refill.
 */
export const limits = z
  .strictObject({
    /** Wrong passwords. */
    password: kind({
      account: limit(10, '1m'),
      client: limit(70, '6s'),
      network: limit(250, '1200ms'),
      total: limit(10_000, '100ms'),
    }),
    /** Wrong codes: emailed ones, those of authenticator apps, backup codes. */
    code: kind({
      account: limit(10, '15m'),
      client: limit(150, '20s'),
      network: limit(400, '4s'),
      total: limit(10_000, '100ms'),
    }),
    /** Emails to an address. */
    mail: kind({
      account: limit(10, '1h'),
      client: limit(100, '1m'),
      network: limit(400, '15s'),
      total: limit(10_000, '100ms'),
    }),
    /** Notices to an address: account changes and sign-ins. */
    notice: kind({ account: limit(10, '6m') }),
    /** Registrations. */
    registration: kind({
      account: limit(5, '12m'),
      client: limit(50, '1m'),
      network: limit(200, '15s'),
      total: limit(5_000, '200ms'),
    }),
    /** Flows that were opened but not completed. */
    flow: kind({
      client: limit(1_000, '3s'),
      network: limit(4_000, '750ms'),
      total: limit(100_000, '10ms'),
    }),
    /** Authorizations started at a provider. */
    provider: kind({
      client: limit(100, '10s'),
      network: limit(400, '2500ms'),
      total: limit(10_000, '100ms'),
    }),
  })
  .prefault({})

/** The paths of disabled limits. */
export function disabledLimits(configured: z.output<typeof limits>): string[] {
  return Object.entries(configured).flatMap(([kind, scopes]) =>
    Object.entries(scopes)
      .filter(([, limit]) => limit === 'off')
      .map(([scope]) => `limits.${kind}.${scope}`),
  )
}
