import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import { queueFull } from '../../crypto/passwords/hash-queue.ts'
import { mayBeKnown } from '../../devices/known-device.ts'
import { requesterOf } from '../../limits/networks.ts'
import type { Need } from '../../storage/database.ts'
import { deviceCookieName, readCookie } from '../cookies.ts'
import { readCredential } from '../request.ts'

type Header = (name: string) => string | undefined

/** Routes that start something. Submissions, callbacks, logouts and health have priority. */
const BEGINS =
  /^\/(sessions(\/|$)|self-service\/(login|registration|recovery|verification|settings)\/(browser|api)$)/

/** Whether a route is limited under load. */
export function beginsWork(path: string): boolean {
  return BEGINS.test(path)
}

/**
 * Throws 503 with `Retry-After` if the service is too busy for a new request of this path, so that running forms are
 * answered in time.
 */
export async function assertCapacity(ctx: Context, path: string, header: Header): Promise<void> {
  await ctx.admission.assertCapacity(needOf(path))
  if (!needsHash(path) || !ctx.hasher.isFull()) return
  const device_cookie = readCookie(header('cookie'), deviceCookieName(ctx.config))
  const credential = readCredential(ctx.config, header)
  // Known clients have reserved places, and signed-in users only confirm who they are or enter a second factor.
  if (await mayBeKnown(ctx, { device_cookie, credential })) return
  ctx.metrics.add('identity_hash_refusals_total', {})
  throw queueFull
}

function needOf(path: string): Need {
  if (path === '/sessions/whoami') return 'look-up'
  return path.startsWith('/sessions') ? 'read' : 'write'
}

/** Keeps room for the password of a form that is opened. Call the result when the request is over. */
export function reserveForForm(ctx: Context, path: string, { client_address }: Caller): () => void {
  return needsHash(path) ? ctx.hasher.expectForm(requesterOf(client_address)) : () => {}
}

/** Keeps room for the password of a form that was submitted. Call the result when the submission is over. */
export function reserveForHash(ctx: Context, path: string, { client_address }: Caller): () => void {
  return needsHash(`${path}/`) ? ctx.hasher.expectHash(requesterOf(client_address)) : () => {}
}

/** Whether the form of this path can take a password, whose hash a full queue would refuse. */
function needsHash(path: string): boolean {
  return path.startsWith('/self-service/login/') || path.startsWith('/self-service/registration/')
}
