import { type IdentityService, loginUrl } from '../service.ts'
import { hasErrorId, identityClient, statusOf } from './client.ts'
import type { AnyFlow, FlowApi, FlowRequest } from './kinds.ts'

/** Another page has to come first. */
export type Detour =
  /** The user was logged in already, or has logged in in another tab. */
  | { readonly kind: 'already-signed-in' }
  /** The session needs a second factor: `useLogin({ aal: 'aal2' })`. */
  | { readonly kind: 'second-factor' }
  /** The session is missing or has ended. */
  | { readonly kind: 'sign-in' }

export type OpenFlowResult<F> =
  | {
      kind: 'flow'
      flow: F
      /** The requested flow was gone, and this one replaces it. */
      renewed: boolean
    }
  | Detour
  /** To the OAuth 2.0 server, or to why that request has ended. */
  | { kind: 'redirect'; url: string }

/**
 * Reads the flow or creates one. Replaces a flow that is expired, unknown or another browser's. Throws if the
 * service fails.
 */
export async function openFlow<F extends AnyFlow>(
  calls: FlowApi<F>,
  service: IdentityService,
  id: string | undefined,
  request: FlowRequest = {},
): Promise<OpenFlowResult<F>> {
  const client = identityClient(service)
  const { loginChallenge } = request
  const challenged = loginChallenge && loginUrl(service, { login_challenge: loginChallenge })
  const beginFlow = (renewed: boolean) => toOpened(calls.create(client, request), renewed, challenged)
  if (id === undefined) return await beginFlow(false)
  try {
    return await toOpened(calls.read(client, id), false)
  } catch (error) {
    if (![403, 404, 410].includes(statusOf(error) ?? 0)) throw error
    return await beginFlow(true)
  }
}

async function toOpened<F extends AnyFlow>(
  answer: Promise<F>,
  renewed: boolean,
  challenged?: string,
): Promise<OpenFlowResult<F>> {
  try {
    return { kind: 'flow', flow: checked(await answer), renewed }
  } catch (error) {
    const status = statusOf(error) ?? 0
    if (status === 401) return { kind: 'sign-in' }
    if (await hasErrorId(error, 400, 'session_already_available')) return { kind: 'already-signed-in' }
    if (await hasErrorId(error, 403, 'session_aal2_required')) return { kind: 'second-factor' }
    if (challenged && [400, 422].includes(status)) return { kind: 'redirect', url: challenged }
    throw error
  }
}

/** A proxy may answer 200 with another body. Throwing requests the flow again. */
function checked<F extends AnyFlow>(flow: F): F {
  if (Array.isArray((flow as Partial<F> | undefined)?.ui?.nodes)) return flow
  throw new Error('The identity service answered without a form.')
}
