import type { Caller } from '../contract/caller.ts'
import type { Context } from '../contract/contract.ts'
import { hashToken } from '../crypto/random.ts'
import { isBelowHighestAal } from '../sessions/aal.ts'
import { findLiveSession, isLive } from '../sessions/find.ts'
import { findDevicesForgotten } from '../storage/identities/identities.ts'
import { findSessionByToken } from '../storage/sessions/sessions.ts'

export const DEVICE_LIFETIME_S = 180 * 86_400

const MOST_ACCOUNTS = 4

/**
 * Finds a client that has signed in to the account before: browsers by the device cookie, apps by an earlier
 * session token, even an expired one. Unknown identifiers cost the same statement (SEC-14).
 */
export async function findKnownDevice(
  ctx: Context,
  { device_cookie, credential }: Pick<Caller, 'device_cookie' | 'credential'>,
  identityId: string | undefined,
): Promise<string | undefined> {
  const cookie = parse(ctx, device_cookie)
  const mark = cookie?.marks.find((mark) => isOf(ctx, cookie.id, mark, identityId))
  if (cookie && mark && identityId && mark.issued >= (await findDevicesForgotten(ctx.db, identityId)))
    return cookie.id
  const earlier = credential && (await findSessionByToken(ctx.db, hashToken(credential.token)))
  // A password alone makes no device known, because the second factor could still be guessed.
  if (!earlier || earlier.identity.id !== identityId || isBelowHighestAal(ctx, earlier)) return undefined
  const { id, issued_at } = earlier.session
  // Forgetting devices ends the distrusted sessions too.
  const isKnown =
    isLive(ctx, earlier) || Date.parse(issued_at) >= (await findDevicesForgotten(ctx.db, identityId))
  return isKnown ? id : undefined
}

/**
 * Without an account: the session's user or the browser's first account. Devices have no key,
 * because signing in without a cookie creates another (SEC-68).
 */
export async function findUserKey(ctx: Context, caller: Pick<Caller, 'device_cookie' | 'credential'>) {
  const session = await findLiveSession(ctx, caller)
  if (session && !isBelowHighestAal(ctx, session)) return session.identity.id
  const cookie = parse(ctx, caller.device_cookie)
  return cookie?.marks.some((mark) => isCurrent(ctx, mark)) ? cookie.id : undefined
}

/** Only checks the cookie's seal or the token. A submission checks the account. */
export async function mayBeKnown(
  ctx: Context,
  { device_cookie, credential }: Pick<Caller, 'device_cookie' | 'credential'>,
): Promise<boolean> {
  if (parse(ctx, device_cookie)?.marks.some((mark) => isCurrent(ctx, mark))) return true
  const tokens = credential ? [credential, ...(credential.others ?? [])] : []
  const sessions = await Promise.all(tokens.map(({ token }) => findSessionByToken(ctx.db, hashToken(token))))
  return sessions.some((session) => session !== undefined)
}

export function rememberDevice(ctx: Context, device_cookie: string | undefined, identityId: string): string {
  const { id, marks } = parse(ctx, device_cookie) ?? { id: idOf(ctx, identityId), marks: [] }
  const issued = ctx.now().getTime()
  const others = marks.filter((mark) => !isOf(ctx, id, mark, identityId)).slice(0, MOST_ACCOUNTS - 1)
  const entry = { issued, mac: ctx.secrets.mac(PURPOSE, signedText(id, issued, identityId)) }
  const text = [id, ...[entry, ...others].map(({ issued, mac }) => `${issued.toString(36)}-${mac}`)].join('.')
  return `${text}.${ctx.secrets.mac(SEAL, text)}`
}

const PURPOSE = 'cookie device'
const SEAL = 'cookie device seal'

/** Equal in every cookie that begins with this account. */
function idOf(ctx: Context, identityId: string): string {
  return ctx.secrets.mac('cookie device id', identityId).slice(0, 11)
}

/** `issued` is in milliseconds since 1970. A MAC comparison identifies the account. */
interface Mark {
  readonly issued: number
  readonly mac: string
}

function parse(ctx: Context, value: string | undefined): { id: string; marks: readonly Mark[] } | undefined {
  if (value === undefined || !COOKIE.test(value)) return undefined
  const end = value.lastIndexOf('.')
  const text = value.slice(0, end)
  if (!ctx.secrets.verifyMac(SEAL, text, value.slice(end + 1))) return undefined
  const [id = '', ...marks] = text.split('.')
  return {
    id,
    marks: marks.map((mark) => ({
      issued: Number.parseInt(mark.slice(0, mark.indexOf('-')), 36),
      mac: mark.slice(mark.indexOf('-') + 1),
    })),
  }
}

const COOKIE = /^[\w-]{11}(\.[0-9a-z]{1,9}-[\w-]{43}){1,4}\.[\w-]{43}$/

function isOf(ctx: Context, id: string, mark: Mark, identityId = ''): boolean {
  return (
    isCurrent(ctx, mark) && ctx.secrets.verifyMac(PURPOSE, signedText(id, mark.issued, identityId), mark.mac)
  )
}

/** A copied cookie must not outlive the browser's own. */
function isCurrent(ctx: Context, { issued }: Mark): boolean {
  return ctx.now().getTime() - issued <= DEVICE_LIFETIME_S * 1000
}

function signedText(id: string, issued: number, identityId: string): string {
  return `${id}:${issued}:${identityId}`
}
