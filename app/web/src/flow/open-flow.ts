import { hasErrorId, statusOf } from './client.ts'
import type { AnyFlow, FlowCalls } from './kinds.ts'

export type Opened<F> =
  | {
      kind: 'flow'
      flow: F
      /** The requested flow was gone, and this one replaces it. */
      renewed: boolean
    }
  | { kind: 'already-signed-in' }
  | { kind: 'sign-in' }
  | { kind: 'second-factor' }

/**
 * Reads the flow or creates one. Replaces a flow that is expired, unknown or another browser's. Throws if the
 * service fails.
 */
export async function openFlow<F extends AnyFlow, Body>(
  calls: FlowCalls<F, Body>,
  id: string | undefined,
): Promise<Opened<F>> {
  if (id === undefined) return await beginFlow(calls, false)
  try {
    return { kind: 'flow', flow: checked(await calls.read(id)), renewed: false }
  } catch (error) {
    const status = statusOf(error)
    if (status === 401) return { kind: 'sign-in' }
    if (await hasErrorId(error, 403, 'session_aal2_required')) return { kind: 'second-factor' }
    if (!isGone(status)) throw error
    return await beginFlow(calls, true)
  }
}

async function beginFlow<F extends AnyFlow, Body>(
  calls: FlowCalls<F, Body>,
  renewed: boolean,
): Promise<Opened<F>> {
  try {
    return { kind: 'flow', flow: checked(await calls.create()), renewed }
  } catch (error) {
    if (statusOf(error) === 401) return { kind: 'sign-in' }
    if (await hasErrorId(error, 400, 'session_already_available')) return { kind: 'already-signed-in' }
    if (await hasErrorId(error, 403, 'session_aal2_required')) return { kind: 'second-factor' }
    throw error
  }
}

/** A proxy may answer 200 with another body. Throwing requests the flow again. */
function checked<F extends AnyFlow>(flow: F): F {
  if (Array.isArray((flow as Partial<F> | undefined)?.ui?.nodes)) return flow
  throw new Error('The identity service answered without a form.')
}

function isGone(status: number | undefined): boolean {
  return status === 403 || status === 404 || status === 410
}
