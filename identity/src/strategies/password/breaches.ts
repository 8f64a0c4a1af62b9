import { createHash } from 'node:crypto'
import type { Config } from '../../config.ts'
import type { Context } from '../../contract.ts'
import { ProtocolError } from '../../errors.ts'

/**
 * How often a password stands in known leaks; the host learns five digits of its SHA-1 only. Where the host does not
 * answer: 0, or a 502 if the configuration does not ignore that.
 */
export async function countBreaches(ctx: Context, password: string): Promise<number> {
  const digest = createHash('sha1').update(password).digest('hex').toUpperCase()
  const policy = ctx.config.selfservice.methods.password.config
  try {
    return countIn(await findRange(ctx, digest.slice(0, 5)), digest.slice(5))
  } catch (cause) {
    if (!policy.ignore_network_errors) throw unavailable(cause)
    const reason = cause instanceof Error ? cause.message : String(cause)
    ctx.log.warn(
      { event: 'security.check_skipped', check: 'breached_password', reason },
      'a password was not checked',
    )
    return 0
  }
}

const TIMEOUT = 2000
const CACHED_FOR = 3_600_000
/** A range is about 40 kB long. */
const CACHED_RANGES = 100

interface Range {
  readonly text: string
  readonly until: number
}

/** One cache per service; the oldest range goes first. */
const caches = new WeakMap<Config, Map<string, Range>>()

async function findRange(ctx: Context, prefix: string): Promise<string> {
  const cache = caches.get(ctx.config) ?? new Map<string, Range>()
  caches.set(ctx.config, cache)
  const now = ctx.now().getTime()
  const known = cache.get(prefix)
  if (known && known.until > now) return known.text
  const text = await fetchRange(ctx, prefix)
  cache.delete(prefix)
  cache.set(prefix, { text, until: now + CACHED_FOR })
  const [oldest] = cache.keys()
  if (cache.size > CACHED_RANGES && oldest !== undefined) cache.delete(oldest)
  return text
}

async function fetchRange(ctx: Context, prefix: string): Promise<string> {
  const { haveibeenpwned_host } = ctx.config.selfservice.methods.password.config
  const response = await ctx.fetch(`https://${haveibeenpwned_host}/range/${prefix}`, {
    // Rows of padding keep who listens from telling ranges apart by their length.
    headers: { 'Add-Padding': 'true', 'User-Agent': 'my-app' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT),
  })
  if (response.ok) return await response.text()
  await response.body?.cancel()
  throw new Error(`the host answered ${response.status}`)
}

/** A row is `<35 digits>:<count>`; one without a count counts as 1, and one of padding as 0. */
function countIn(range: string, suffix: string): number {
  const row = range.split('\n').find((line) => line.toUpperCase().startsWith(suffix))
  if (row === undefined) return 0
  const count = Number.parseInt(row.split(':')[1] ?? '', 10)
  return Number.isNaN(count) ? 1 : count
}

function unavailable(cause: unknown): ProtocolError {
  const reason = 'Your password could not be checked at this moment. Please try again in a minute.'
  return new ProtocolError({ id: 'upstream_error', status: 502, reason, cause })
}
