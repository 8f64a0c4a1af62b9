import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { distance } from 'fastest-levenshtein'
import type { Context } from '../../contract/contract.ts'
import { MAX_CODE_POINTS } from '../../crypto/passwords/password-hash.ts'
import { FormError, messageOf, ProtocolError } from '../../errors/errors.ts'
import { fetchOf } from '../../events/call.ts'
import { countCodePoints, normalise, stacksMarks, TOO_MANY_MARKS } from '../../input/normalise.ts'
import { messages } from '../../ui/messages.ts'
import type { UiText } from '../../wire/text.ts'

/** Throws `FormError` on `password` with the first reason. */
export async function checkPassword(
  ctx: Context,
  password: string,
  identifiers: readonly string[],
): Promise<void> {
  const policy = ctx.config.selfservice.methods.password.config
  const typed = countCodePoints(password)
  if (typed < policy.min_password_length) {
    throw passwordError(messages.passwordTooShort(policy.min_password_length, typed))
  }
  const characters = countCodePoints(normalise('NFKC', password, 8 * MAX_CODE_POINTS) ?? password)
  if (characters > MAX_CODE_POINTS) throw passwordError(messages.passwordTooLong(MAX_CODE_POINTS, characters))
  if (stacksMarks(password)) throw passwordError(messages.passwordRefused(TOO_MANY_MARKS))
  if (
    policy.identifier_similarity_check_enabled &&
    identifiers.some((identifier) => isSimilar(password, identifier))
  ) {
    throw passwordError(messages.passwordTooSimilar)
  }
  if (policy.refuse_common_passwords && isCommon(password, ownNames(ctx))) throw passwordError(COMMON)
  if (!policy.haveibeenpwned_enabled) return
  const breaches = await countBreaches(ctx, password)
  if (breaches > policy.max_breaches) throw passwordError(messages.passwordBreached(breaches))
}

function ownNames({ config }: Context): readonly string[] {
  const { hostname } = new URL(config.serve.public.base_url)
  const { issuer } = config.selfservice.methods.totp.config
  return [hostname, ...hostname.split('.'), ...(issuer === undefined ? [] : [issuer])].filter((name) =>
    /\p{L}{2}/u.test(name),
  )
}

const COMMON = messages.passwordRefused('This password is easy to guess. Please choose another.')

function passwordError(message: UiText): FormError {
  return new FormError(message, 'password')
}

const COMPARED_BYTES = 256

function isSimilar(password: string, identifier: string): boolean {
  const [one, other] = [password.toLowerCase(), identifier.toLowerCase()]
  if (Buffer.byteLength(one) > COMPARED_BYTES || Buffer.byteLength(other) > COMPARED_BYTES) return false
  return distance(one, other) < 5 || containsMost(other, one)
}

function containsMost(text: string, part: string): boolean {
  const length = Math.floor(part.length / 2) + 1
  const starts = Array.from({ length: part.length - length + 1 }, (_, start) => start)
  return starts.some((start) => text.includes(part.slice(start, start + length)))
}

/** Sends only five digits of the SHA-1. On failure returns 0 or throws 502, as configured. */
async function countBreaches(ctx: Context, password: string): Promise<number> {
  const digest = createHash('sha1').update(password).digest('hex').toUpperCase()
  const policy = ctx.config.selfservice.methods.password.config
  try {
    return countIn(await loadRange(ctx, digest.slice(0, 5)), digest.slice(5))
  } catch (cause) {
    if (!policy.ignore_network_errors) throw unavailable(cause)
    const reason = messageOf(cause)
    ctx.log.warn(
      { event: 'security.check_skipped', check: 'breached_password', reason },
      'a password was not checked',
    )
    return 0
  }
}

const TIMEOUT_MS = 2000
const CACHED_FOR_MS = 3_600_000
/** A range takes about 40 kB. */
const CACHED_RANGES = 100

const createCache = () => new Map<string, { readonly text: string; readonly until: number }>()

async function loadRange(ctx: Context, prefix: string): Promise<string> {
  const cache = ctx.once(createCache)
  const now = ctx.now().getTime()
  const cachedRange = cache.get(prefix)
  if (cachedRange && cachedRange.until > now) return cachedRange.text
  const text = await fetchRange(ctx, prefix)
  cache.delete(prefix)
  cache.set(prefix, { text, until: now + CACHED_FOR_MS })
  const [oldest] = cache.keys()
  if (cache.size > CACHED_RANGES && oldest !== undefined) cache.delete(oldest)
  return text
}

async function fetchRange(ctx: Context, prefix: string): Promise<string> {
  const { haveibeenpwned_host } = ctx.config.selfservice.methods.password.config
  const fetch = fetchOf(ctx, { target: 'breached_passwords' })
  const response = await fetch(`https://${haveibeenpwned_host}/range/${prefix}`, {
    // Padding hides the range from eavesdroppers.
    headers: { 'Add-Padding': 'true', 'User-Agent': 'ostiary' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new Error(`the host responded with ${response.status}`)
  }
  const text = await response.text()
  // A captive portal's page proves nothing (SEC-49).
  if (!text.trim().split(/\r?\n/).every(isRow)) throw new Error('the host sent no list of digests')
  return text
}

function isRow(line: string): boolean {
  return /^[\dA-F]{35}(:\d+)?$/i.test(line)
}

/** `<35 digits>:<count>`, 0 for padding. */
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

/** `own`: names that each user of this service knows. Digits and signs around them do not help. */
export function isCommon(password: string, ownNames: readonly string[]): boolean {
  common ??= readList()
  const text = normalise('NFKC', password, LONGEST)?.toLowerCase()
  if (text === undefined) return false
  return common.has(text) || ownNames.some((name) => lettersOf(name) === lettersOf(text))
}

function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}]/gu, '')
}

/** Up to 24 characters, each made of at most eight code units by NFKC. */
const LONGEST = 8 * 24

let common: ReadonlySet<string> | undefined

/**
 * The 42,692 lower-case entries with 6 to 24 characters and no spaces from `passwords.json` of
 * @zxcvbn-ts/language-common 4.1.3 (MIT).
 */
function readList(): ReadonlySet<string> {
  const file = new URL('./common-passwords.txt.gz', import.meta.url)
  return new Set(gunzipSync(readFileSync(file)).toString().trimEnd().split('\n'))
}
