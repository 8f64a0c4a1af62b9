import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import { queueFull } from '../../crypto/passwords/hash-queue.ts'
import { mayBeKnown } from '../../devices/known-device.ts'
import { requesterOf } from '../../limits/keys.ts'
import type { Need } from '../../storage/database.ts'
import { deviceCookieName, readCookie } from '../cookies.ts'
import { readCredential } from '../request.ts'

type Header = (name: string) => string | undefined

/** Submissions, callbacks, logouts and health checks have priority over these routes. */
const BEGINS =
  /^\/(sessions(\/|$)|self-service\/(login|registration|recovery|verification|settings)\/(browser|api)$)/

export function beginsWork(path: string): boolean {
  return BEGINS.test(path)
}

/** Throws 503 with `Retry-After` under load, so that open forms are answered in time. */
export async function assertCapacity(ctx: Context, path: string, header: Header): Promise<void> {
  await ctx.admission.assertCapacity(needOf(path))
  if (!needsHash(path) || !ctx.hasher.isFull()) return
  const device_cookie = readCookie(header('cookie'), deviceCookieName(ctx.config))
  const credential = readCredential(ctx, header)
  // Not shed: known clients have reserved places; signed-in users only re-authenticate or enter a second
  // factor.
  if (await mayBeKnown(ctx, { device_cookie, credential })) return
  ctx.metrics.add('identity_hash_refusals_total', {})
  throw queueFull
}

function needOf(path: string): Need {
  if (path === '/sessions/whoami') return 'look-up'
  return path.startsWith('/sessions') ? 'read' : 'write'
}

/** Returns a function that releases the reservation. */
export function reserveForForm(ctx: Context, path: string, { client_address }: Caller): () => void {
  return needsHash(path) ? ctx.hasher.expectForm(requesterOf(client_address)) : () => {}
}

/** Returns a function that releases the reservation. */
export function reserveForHash(ctx: Context, path: string, { client_address }: Caller): () => void {
  return needsHash(`${path}/`) ? ctx.hasher.expectHash(requesterOf(client_address)) : () => {}
}

function needsHash(path: string): boolean {
  return path.startsWith('/self-service/login/') || path.startsWith('/self-service/registration/')
}
