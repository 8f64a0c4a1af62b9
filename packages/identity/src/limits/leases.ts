import type { Context } from '../contract/contract.ts'
import type { Once } from '../contract/once.ts'
import { type Charge, refundLimits, takeLimits } from '../storage/limits.ts'

type LeaseContext = Pick<Context, 'db' | 'now' | 'once'>

export interface LeasedCharge extends Charge {
  /** Uses that a process takes at once, so that most attempts write no row. For limits that many attempts share. */
  readonly lease?: number
}

interface Leases {
  /** Unspent uses, at most `lease`. A killed process loses them, which admits fewer attempts. */
  readonly unspent: Map<string, number>
  /** Concurrent attempts take a single use. */
  readonly growing: Set<string>
}

/** About 1 MB. Beyond it, the lease that was used least recently is dropped. */
const MOST_LEASES = 10_000

/** Takes one use of every limit, or none. */
export async function takeLeased(ctx: LeaseContext, charges: readonly LeasedCharge[]) {
  const leases = ctx.once(createLeases)
  const others = charges.filter((charge) => !spendLease(leases, charge))
  const refusal = others.length === 0 ? undefined : await takeOthers(ctx, leases, others)
  if (refusal) for (const charge of charges) if (!others.includes(charge)) keepLease(leases, charge)
  return refusal
}

export async function refundLeased(ctx: LeaseContext, charges: readonly LeasedCharge[]): Promise<void> {
  const leases = ctx.once(createLeases)
  const others = charges.filter((charge) => !keepLease(leases, charge))
  await refundLimits(ctx.db, others)
}

/** For a new configuration with the same limits: the database already counts these uses. */
export function keptLeases(once: Once): ReadonlyMap<typeof createLeases, Leases> {
  return new Map([[createLeases, once(createLeases)]])
}

function createLeases(): Leases {
  return { unspent: new Map(), growing: new Set() }
}

async function takeOthers({ db, now }: LeaseContext, leases: Leases, charges: readonly LeasedCharge[]) {
  const grown = charges.filter(({ key, lease = 1 }) => lease > 1 && !leases.growing.has(key))
  for (const { key } of grown) leases.growing.add(key)
  try {
    const grants = charges.map((charge) =>
      grown.includes(charge) ? { ...charge, uses: charge.lease } : charge,
    )
    const refusal = await takeLimits(db, grants, now().getTime())
    if (refusal === undefined)
      for (const { key, lease = 1 } of grown)
        setUnspent(leases, key, Math.min(lease, (leases.unspent.get(key) ?? 0) + lease - 1))
    // A limit with less than a lease still has a use.
    const hasOneUse = refusal && grown.length > 0 && refusal.next_at <= now().getTime()
    return hasOneUse ? await takeLimits(db, charges, now().getTime()) : refusal
  } finally {
    for (const { key } of grown) leases.growing.delete(key)
  }
}

function spendLease(leases: Leases, { key }: LeasedCharge): boolean {
  const unspent = leases.unspent.get(key) ?? 0
  if (unspent > 0) setUnspent(leases, key, unspent - 1)
  return unspent > 0
}

/** False if the database must refund it. */
function keepLease(leases: Leases, { key, lease = 0 }: LeasedCharge): boolean {
  const unspent = leases.unspent.get(key) ?? 0
  if (unspent < lease) setUnspent(leases, key, unspent + 1)
  return unspent < lease
}

function setUnspent({ unspent }: Leases, key: string, uses: number): void {
  unspent.delete(key)
  if (uses > 0) unspent.set(key, uses)
  const [oldest] = unspent.keys()
  if (unspent.size > MOST_LEASES && oldest !== undefined) unspent.delete(oldest)
}
