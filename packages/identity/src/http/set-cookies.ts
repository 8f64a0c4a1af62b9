import type { Caller } from '../contract/caller.ts'
import type { Context } from '../contract/contract.ts'
import { rememberDevice } from '../devices/known-device.ts'
import type { CookieChanges } from '../flows/form/decision.ts'
import { isBelowHighestAal } from '../sessions/aal.ts'
import { continuityCookie, csrfCookie, deviceCookie, endedSessionCookie, sessionCookie } from './cookies.ts'
import type { Http } from './request.ts'

export function setCookies(ctx: Context, c: Http, changes: CookieChanges | undefined): void {
  if (!changes) return
  // Undefined if the request failed before it was read.
  const caller = c.get('caller') as Caller | undefined
  const add = (value: string) => c.header('set-cookie', value, { append: true })
  if (changes.csrf !== undefined) add(csrfCookie(ctx.config, changes.csrf))
  if (changes.continuity_token !== undefined)
    add(continuityCookie(ctx.config, changes.continuity_token, caller?.continuity_tokens))
  if (changes.session === 'removed') add(endedSessionCookie(ctx.config))
  else if (changes.session) {
    const { token, session } = changes.session
    add(sessionCookie(ctx, token, session, ctx.now()))
  }
  const device = changes.session === 'removed' ? undefined : (changes.device ?? changes.session)
  // A password alone must not grant the device's own limits: wait for the second factor.
  if (device && !isBelowHighestAal(ctx, device)) {
    add(deviceCookie(ctx.config, rememberDevice(ctx, caller?.device_cookie, device.identity.id)))
  }
}
