import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import { accountLink } from '../../identities/named-account.ts'
import type { HeldProof } from '../../sessions/exchange.ts'
import { exchangeId, holdForExchange, keepForExchange, openExchange } from '../../sessions/exchange.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { storedFlowField } from '../../storage/flows/memo.ts'
import type { FlowKind } from '../../wire/flow.ts'
import type { Outcome } from '../form/decision.ts'
import { returnUrlOr } from '../form/return-to.ts'
import { find } from '../form/stored.ts'

// Browsers do not send the `SameSite=Strict` cookie on a provider's redirect.
export const keptDevice = storedFlowField<string>('device_cookie')

export async function withKeptDevice(
  ctx: Context,
  caller: Caller,
  kind: FlowKind,
  flowId: string,
): Promise<Caller> {
  const flow = await find(ctx, kind, flowId)
  return { ...caller, device_cookie: flow && keptDevice.read(flow) }
}

/** Shown only once. */
export async function openExchangeOf(ctx: Context, flow: Flow): Promise<object> {
  const id = exchangeId.read(flow)
  return id === undefined ? {} : { session_token_exchange_code: await openExchange(ctx, id) }
}

/** Native apps authorize in a browser, which returns to the app with a code for any session. */
export async function leadToApp(ctx: Context, outcome: Outcome): Promise<Outcome> {
  if (outcome.kind !== 'finished' && outcome.kind !== 'form') return outcome
  const { flow } = outcome
  const exchange_id = exchangeId.read(flow)
  if (flow.type !== 'api' || exchange_id === undefined) return outcome
  // With the form for linking, the app continues there.
  const linking: Record<string, string> = accountLink.read(flow) ? { flow: flow.id, no_org_ui: 'true' } : {}
  const query = outcome.kind === 'finished' ? await codeFor(ctx, exchange_id, outcome.body) : linking
  return { kind: 'elsewhere', url: withQuery(returnUrlOr(ctx, flow.return_to), query), status: 303 }
}

/** The account exists once the app redeems its codes, so no other app can set it up (SEC-98). */
export async function holdForApp(
  ctx: Context,
  exchange_id: string,
  heldProof: HeldProof,
  flow: Flow,
): Promise<Outcome> {
  const code = await holdForExchange(ctx, exchange_id, heldProof)
  const query: Record<string, string> = code === undefined ? {} : { code }
  return { kind: 'elsewhere', url: withQuery(returnUrlOr(ctx, flow.return_to), query), status: 303 }
}

/** Undefined without a session. */
export function sessionIn(body: object): { session_id: string; token: string } | undefined {
  if (!('session_token' in body) || !('session' in body)) return undefined
  const { id } = body.session as { readonly id: string }
  return { session_id: id, token: String(body.session_token) }
}

async function codeFor(ctx: Context, exchange_id: string, body: object): Promise<Record<string, string>> {
  const issued = sessionIn(body)
  const code = issued && (await keepForExchange(ctx, exchange_id, issued))
  return code === undefined ? {} : { code }
}

function withQuery(address: string, query: Record<string, string>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  url.searchParams.sort()
  return url.toString()
}
