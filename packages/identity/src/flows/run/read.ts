import { publicUrl } from '../../config/base-url.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import { maskCsrf } from '../../crypto/csrf.ts'
import { ProtocolError } from '../../errors/errors.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { FlowKind } from '../../wire/flow.ts'
import { isOwn } from '../form/csrf.ts'
import { csrfViolation } from '../form/csrf-violation.ts'
import { render, withForm } from '../form/render.ts'
import type { FlowSpec, Outcome } from '../form/spec.ts'
import { load, save } from '../form/stored.ts'
import { isExpired } from './entries.ts'
import { traceFlow } from './trace.ts'

/**
 * The flow, for the browser that opened it or the session that it belongs to. Throws 404, 403 `security_csrf_violation`
 * or `security_identity_mismatch`, 410.
 */
export async function read<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  id: string | null,
  reader: Caller,
): Promise<Outcome> {
  const caller = (await spec.readers?.gate(ctx, reader)) ?? reader
  if ('kind' in caller) return caller
  spec.assertEnabled?.(ctx)
  const flow = await withForm(ctx, spec, await load(ctx, spec.kind, id))
  traceFlow(ctx, flow)
  if (spec.readers) await spec.readers.admit(ctx, flow, caller)
  // A code from an operator may be entered in any browser.
  else if (!isOwn(flow, caller) && !flow.memo.by_operator) throw csrfViolation(caller, 'fetch')
  if (isExpired(ctx, flow)) throw expiredOnFetch(ctx, flow)
  const mine = spec.readers ? await adopted(ctx, spec, flow, caller) : flow
  const shown = await spec.shown?.(ctx, mine, caller.session?.identity)
  return { kind: 'opened', flow: mine, ...(shown ? { shown } : {}) }
}

/**
 * If the owner has signed in again since, the form is rendered with the browser's current CSRF secret so that it still
 * works.
 */
async function adopted<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  flow: Flow<K>,
  caller: Caller,
): Promise<Flow<K>> {
  if (isOwn(flow, caller) || caller.credential?.from !== 'cookie') return flow
  return await save(ctx, await render(ctx, spec, { ...flow, csrf_token: maskCsrf(caller.csrf.secret) }))
}

function hasNoId({ kind, type }: Flow): boolean {
  return kind === 'verification' || kind === 'settings' || (kind === 'recovery' && type === 'browser')
}

function expiredOnFetch(ctx: Context, flow: Flow): ProtocolError {
  const path = `/self-service/${flow.kind}/${flow.type}`
  const query = flow.return_to === undefined ? '' : `?${new URLSearchParams({ return_to: flow.return_to })}`
  return new ProtocolError({
    // Kratos compatibility: verification, settings and browser recovery have no error id here.
    ...(hasNoId(flow) ? {} : { id: 'self_service_flow_expired' as const }),
    status: 410,
    reason: 'This form has expired. Please start again.',
    details:
      flow.type === 'api'
        ? { api: publicUrl(ctx, path) }
        : { redirect_to: publicUrl(ctx, path + query), return_to: flow.return_to ?? '' },
  })
}
