import type { ContinueWith } from '@ory/client-fetch'
import type { AnyFlow } from '../flow/kinds.ts'
import { isSaved } from '../flow/messages.ts'
import { findVerificationId } from '../flow/nodes.ts'
import type { Detour, OpenFlowResult } from '../flow/open-flow.ts'
import type { Reply } from '../flow/submit-flow.ts'

/** Where the user goes from a form. The session is up to date already. */
export type Next =
  | {
      /** The flow has ended. */
      readonly kind: 'done'
      /** It logged the user in. */
      readonly hasSession: boolean
      /** The flow that waits for an emailed code after a registration. */
      readonly verification: string | undefined
      /** The settings flow after a recovery, to set a new password. */
      readonly settings: string | undefined
      /** Where the service redirects, such as `returnTo`. */
      readonly returnTo: string | undefined
    }
  /** The settings are stored. The form stays. */
  | { readonly kind: 'saved' }
  | Detour
  /** The address has to be verified first, in that flow. */
  | { readonly kind: 'verify-first'; readonly flowId: string }
  /** The user has to log in again, at `url` of the service. */
  | { readonly kind: 'confirm'; readonly url: string }

/** Undefined if the form stays, or the browser leaves. */
export function nextAfter(
  reply: Reply<AnyFlow> | OpenFlowResult<AnyFlow> | { readonly kind: 'no-passkey' },
  flowKind: string,
): Next | undefined {
  switch (reply.kind) {
    case 'done':
      return doneWith(reply.continueWith, reply.hasSession)
    case 'form':
      if (isSaved(reply.flow)) return { kind: 'saved' }
      return reply.flow.state === 'passed_challenge'
        ? doneWith(continueWithOf(reply.flow), flowKind === 'recovery')
        : undefined
    case 'already-signed-in':
    case 'second-factor':
    case 'verify-first':
    case 'sign-in':
    case 'confirm':
      return reply
    default:
      return undefined
  }
}

function doneWith(items: readonly ContinueWith[], hasSession: boolean): Next {
  const settings = items.find((item) => item.action === 'show_settings_ui')
  const redirect = items.find((item) => item.action === 'redirect_browser_to')
  return {
    kind: 'done',
    hasSession,
    verification: findVerificationId(items),
    settings: settings?.flow.id,
    returnTo: redirect?.redirect_browser_to,
  }
}

function continueWithOf(flow: AnyFlow): readonly ContinueWith[] {
  return 'continue_with' in flow ? (flow.continue_with ?? []) : []
}
