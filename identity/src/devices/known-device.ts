import type { Caller } from '../caller.ts'
import type { Context } from '../contract.ts'
import { hashToken, randomToken } from '../crypto/random.ts'
import { provesLess } from '../sessions/aal.ts'
import { findSessionByToken } from '../storage/sessions.ts'

/** How long a browser stays known after a sign-in. */
export const DEVICE_LIFETIME_S = 180 * 86_400

/** On a shared browser, the last accounts are known. */
const MOST_ACCOUNTS = 4

/**
 * The id of a client that has signed in to the account before: a browser by its device cookie, an app by the token of
 * an earlier session, even an ended one. Undefined without such proof.
 */
export async function findKnownDevice(
  ctx: Context,
  { device_cookie, credential }: Pick<Caller, 'device_cookie' | 'credential'>,
  identityId: string,
): Promise<string | undefined> {
  const cookie = parse(device_cookie)
  if (cookie?.marks.some((mark) => isOf(ctx, cookie.id, mark, identityId))) return cookie.id
  const earlier = credential && (await findSessionByToken(ctx.db, hashToken(credential.token)))
  // If the account has a second factor, a password alone makes no device known: the second factor could still be
  // guessed.
  const isOwn = earlier?.identity.id === identityId && !provesLess(ctx, earlier)
  return isOwn ? earlier.session.id : undefined
}

/** The new value of the device cookie, which adds this account to the earlier ones. */
export function rememberDevice(ctx: Context, device_cookie: string | undefined, identityId: string): string {
  const { id, marks } = parse(device_cookie) ?? { id: randomToken(22), marks: [] }
  const issued = dayOf(ctx)
  const others = marks.filter((mark) => !isOf(ctx, id, mark, identityId)).slice(0, MOST_ACCOUNTS - 1)
  const own = { issued, mac: ctx.secrets.mac(PURPOSE, signedText(id, issued, identityId)) }
  return [id, ...[own, ...others].map(({ issued, mac }) => `${issued}-${mac}`)].join('.')
}

const PURPOSE = 'cookie device'

/**
 * A sign-in of this browser to an account, on a day. The account is not readable from it: only a MAC comparison
 * identifies it.
 */
interface Mark {
  readonly issued: number
  readonly mac: string
}

function parse(value: string | undefined): { id: string; marks: readonly Mark[] } | undefined {
  if (value === undefined || !COOKIE.test(value)) return undefined
  const [id = '', ...marks] = value.split('.')
  return {
    id,
    marks: marks.map((mark) => ({
      issued: Number(mark.slice(0, mark.indexOf('-'))),
      mac: mark.slice(mark.indexOf('-') + 1),
    })),
  }
}

const COOKIE = /^[0-9A-Za-z]{22}(\.\d{1,6}-[\w-]{43}){1,4}$/

function isOf(ctx: Context, id: string, { issued, mac }: Mark, identityId: string): boolean {
  // A copied cookie must not live longer than the browser's own.
  if (dayOf(ctx) - issued > DEVICE_LIFETIME_S / 86_400) return false
  return ctx.secrets.verifyMac(PURPOSE, signedText(id, issued, identityId), mac)
}

function signedText(id: string, issued: number, identityId: string): string {
  return `${id}:${issued}:${identityId}`
}

function dayOf(ctx: Context): number {
  return Math.floor(ctx.now().getTime() / 86_400_000)
}
