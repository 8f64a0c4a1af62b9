import type { Caller } from '../../caller.ts'
import type { Config } from '../../config.ts'
import type { Context, Submission } from '../../contract.ts'
import { csrfTokenMatches } from '../../crypto/csrf.ts'
import { FormError } from '../../errors.ts'
import type { Flow } from '../../storage/flows.ts'
import { messages } from '../../ui/messages.ts'
import type { FlowKind } from '../../wire/flow.ts'
import type { UiText } from '../../wire/text.ts'
import { csrfViolation } from './csrf-violation.ts'

/** A browser's form must come from the browser and the site that opened it; a native app has neither cookies nor an origin. */
export function assertOwnCaller(
  { config }: Pick<Context, 'config'>,
  flow: Flow,
  values: Submission['values'],
  caller: Caller,
  { csrfOptional }: { readonly csrfOptional?: true } = {},
): void {
  if (flow.type === 'api') {
    const misuse = misuseOf(config, caller)
    if (misuse) throw new FormError(misuse)
    return
  }
  const token = values.csrf_token
  const genuine =
    caller.csrf.sent &&
    !caller.csrf.foreign_origin &&
    (token === undefined && csrfOptional
      ? isOwnScript(caller)
      : typeof token === 'string' && csrfTokenMatches(token, caller.csrf.secret)) &&
    csrfTokenMatches(flow.csrf_token, caller.csrf.secret)
  if (!genuine) throw csrfViolation(caller, token === undefined ? 'no-token' : 'wrong-token')
}

/** No page elsewhere can have a browser say this of its requests; a browser that says nothing needs a token. */
function isOwnScript({ json, origin, csrf }: Caller): boolean {
  return json && origin !== undefined && origin !== 'null' && !csrf.foreign_origin
}

/** What could not be read may come from anywhere: it is not told what another browser has typed (SEC-21). */
export function redactFor<K extends FlowKind>(flow: Flow<K>, caller: Caller): Flow<K> {
  if (isOwn(flow, caller) || flow.memo.by_operator) return flow
  if (flow.state === 'sent_email' || flow.identity_id !== undefined) throw csrfViolation(caller, 'fetch')
  return { ...flow, memo: { ...flow.memo, values: {} } }
}

/** Whether the browser that asks opened the flow; a native app has nothing to tell it by. */
export function isOwn(flow: Flow, caller: Caller): boolean {
  return flow.type === 'api' || csrfTokenMatches(flow.csrf_token, caller.csrf.secret)
}

/** What a page is told that uses a native app's flow. */
export function misuseOf(config: Config, { origin, has_cookies }: Caller): UiText | undefined {
  if (config.dev_disable_api_flow_enforcement) return undefined
  if (origin !== undefined) return messages.generic(NATIVE_ORIGIN)
  return has_cookies ? messages.generic(NATIVE_COOKIES) : undefined
}

// SEC-37: else a page could use a native flow to get around the CSRF check.
const NATIVE_ORIGIN =
  'A flow for native apps was used by a web page. Please open a flow for browsers instead.'
const NATIVE_COOKIES =
  'A flow for native apps was used with cookies. Please send none, or open a flow for browsers.'
