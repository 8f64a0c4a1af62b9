import { type ContinueWith, type FrontendApi, ResponseError } from '@ory/client-fetch'
import { type FormMessage, formMessage } from './form-message.ts'
import type { AnyFlow, FlowApi } from './kinds.ts'
import { findVerificationId } from './nodes.ts'
import type { Detour } from './open-flow.ts'

export type Reply<F> =
  | { kind: 'form'; flow: F }
  | { kind: 'done'; continueWith: readonly ContinueWith[]; hasSession: boolean }
  | { kind: 'redirect'; url: string }
  /** The user must reauthenticate, in the page or at `url`. */
  | { kind: 'confirm'; url: string }
  | { kind: 'verify-first'; flowId: string }
  | { kind: 'restart'; flowId: string | undefined }
  | Detour
  /** `cause`: the form could not be sent. */
  | { kind: 'refused'; reason?: FormMessage; cause?: unknown }
  | { kind: 'unreachable' }

export async function submitFlow<F extends AnyFlow>(
  calls: FlowApi<F>,
  client: FrontendApi,
  flowId: string,
  body: object,
): Promise<Reply<F>> {
  const response = await answerOf(calls.update(client, flowId, body))
  if (response === undefined) return { kind: 'unreachable' }
  const json: unknown = await response.json().catch(() => undefined)
  return readReply(response.status, json, calls.parse)
}

/** Decides by status, then by the ids in the body. */
export function readReply<F>(status: number, json: unknown, parse: (json: unknown) => F): Reply<F> {
  const body = typeof json === 'object' && json !== null ? (json as SubmitAnswer) : undefined
  const { id, reason } = body?.error ?? {}
  // The provider failed rather than the service.
  if (id === 'upstream_error' && reason) return { kind: 'refused', reason }
  if (status >= 500 || !body) return { kind: 'unreachable' }
  if (body.ui) return { kind: 'form', flow: parse(json) }
  switch (status) {
    case 200:
      return { kind: 'done', continueWith: body.continue_with ?? [], hasSession: Boolean(body.session) }
    case 400:
      return readBadRequest(body)
    case 401:
      return readUnauthorized(body)
    case 403:
      return readForbidden(body)
    case 404:
      return { kind: 'restart', flowId: undefined }
    case 410:
      return { kind: 'restart', flowId: body.use_flow_id }
    case 422:
      return go(body)
    case 429:
      return body.error?.reason
        ? { kind: 'refused', reason: formMessage(body.error.reason, body.error.details) }
        : { kind: 'refused' }
    default:
      return { kind: 'refused' }
  }
}

interface SubmitAnswer {
  readonly ui?: object
  readonly session?: object | null
  readonly continue_with?: ContinueWith[] | null
  readonly redirect_browser_to?: string
  readonly use_flow_id?: string
  readonly error?: {
    readonly id?: string
    readonly reason?: string
    readonly details?: {
      readonly continue_with?: ContinueWith[]
      readonly retry_after?: unknown
      readonly identity_id?: string
    }
  }
}

function readBadRequest(body: SubmitAnswer): Reply<never> {
  if (body.error?.id === 'session_already_available') return { kind: 'already-signed-in' }
  const recovery = body.error?.details?.continue_with?.find((item) => item.action === 'show_recovery_ui')
  if (recovery) return { kind: 'restart', flowId: recovery.flow.id }
  return { kind: 'refused' }
}

/** If the body names an account, the credentials are right, and an operator disabled it. */
function readUnauthorized({ error: { reason, details } = {} }: SubmitAnswer): Reply<never> {
  return reason && details?.identity_id ? { kind: 'refused', reason } : { kind: 'sign-in' }
}

function readForbidden(body: SubmitAnswer): Reply<never> {
  if (body.error?.id === 'security_csrf_violation') return { kind: 'restart', flowId: undefined }
  // Another account has logged in since.
  if (body.error?.id === 'security_identity_mismatch') return { kind: 'sign-in' }
  const verification = findVerificationId(body.error?.details?.continue_with ?? [])
  if (verification) return { kind: 'verify-first', flowId: verification }
  const url = body.redirect_browser_to
  if (body.error?.id === 'session_refresh_required' && url) return { kind: 'confirm', url }
  return go(body)
}

function go({ redirect_browser_to: url }: SubmitAnswer): Reply<never> {
  if (!url) return { kind: 'refused' }
  const asksForSecondFactor = new URL(url, location.href).searchParams.get('aal') === 'aal2'
  return asksForSecondFactor ? { kind: 'second-factor' } : { kind: 'redirect', url }
}

async function answerOf(call: Promise<{ raw: Response }>): Promise<Response | undefined> {
  try {
    return (await call).raw
  } catch (error) {
    // Any other error means a missing response.
    return error instanceof ResponseError ? error.response : undefined
  }
}
