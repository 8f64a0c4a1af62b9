import { linkToConfirm } from '../../codes/memo.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import { csrfTokenMatches, maskCsrf } from '../../crypto/csrf.ts'
import { publicIdentity } from '../../identities/show.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { findIdentity, type StoredIdentity } from '../../storage/identities/identities.ts'
import { nodeName, withTexts, withValue } from '../../ui/nodes.ts'
import type { FlowKind } from '../../wire/flow.ts'
import type { Ui, UiNode } from '../../wire/node.ts'
import type { Outcome } from './decision.ts'
import { publicOAuth2Login } from './oauth2-login.ts'
import { textFor } from './render.ts'
import { keepsMethod, organizationOf, stepsOf } from './steps.ts'

/** A new CSRF secret replaces that of the request. */
type Shown = Pick<Extract<Outcome, { kind: 'form' }>, 'flow' | 'members' | 'cookies'>

/**
 * The body for this caller. Whoever opens an emailed link takes the form over, so its code and token are for
 * that browser only: others may know the flow's id (SEC-24).
 */
export function flowFor({ csrf }: Caller, { flow, members, cookies }: Shown): Record<string, unknown> {
  const secret = cookies?.csrf ?? csrf.secret
  const body = { ...publicFlow(flow), ...members } as { readonly ui: Ui }
  if (flow.csrf_token === '' || csrfTokenMatches(flow.csrf_token, secret)) return { ...body }
  const nodes = body.ui.nodes?.map((node) => withoutSecrets(flow, node, secret)) ?? null
  return { ...body, ui: { ...body.ui, nodes } }
}

function withoutSecrets({ kind }: Flow, node: UiNode, secret: string): UiNode {
  const name = nodeName(node)
  if (name === 'csrf_token') return withValue(node, maskCsrf(secret))
  const isFilled = node.type === 'input' && ['text', 'hidden'].includes(node.attributes.type)
  return kind === 'verification' && isFilled && name !== 'method' ? withValue(node, undefined) : node
}

/** Omits the memo and secrets. */
export function publicFlow(flow: Flow): Record<string, unknown> {
  const { id, type, expires_at, issued_at, request_url, return_to, ui, state } = flow
  // Kratos compatibility: these kinds name no method after a submission without one.
  const active = (keepsMethod(flow.kind) && flow.memo.unclaimed) || flow.active
  const common = {
    id,
    type,
    expires_at,
    issued_at,
    request_url,
    ...(return_to === undefined ? {} : { return_to }),
    ...(active === undefined ? {} : { active }),
    ui: ui.nodes?.length === 0 ? { ...ui, nodes: null } : ui,
    state,
  }
  const schema = flow.identity_schema === undefined ? {} : { identity_schema: flow.identity_schema }
  if (flow.kind !== 'login' && flow.kind !== 'registration') return common
  const opened = {
    ...common,
    organization_id: organizationOf(flow) ?? null,
    ...schema,
    ...publicOAuth2Login(flow),
  }
  if (flow.kind === 'registration') return opened
  const { created_at, updated_at, refresh, requested_aal } = flow
  return { ...opened, created_at, updated_at, refresh, requested_aal }
}

export async function membersOf(
  ctx: Context,
  flow: Flow,
  knownOwner?: StoredIdentity,
): Promise<object | undefined> {
  if (flow.kind === 'verification') return linkToConfirm.read(flow) && { ui: revealed(ctx, flow) }
  if (flow.kind !== 'settings') return undefined
  const owner = knownOwner ?? (flow.identity_id && (await findIdentity(ctx.db, flow.identity_id)))
  return { ui: revealed(ctx, flow), ...(owner ? { identity: publicIdentity(ctx, owner) } : {}) }
}

/** Adds the secrets that are stored encrypted. */
export function revealed<K extends FlowKind>(ctx: Context, flow: Flow<K>): Ui {
  const steps = new Map(stepsOf(ctx, flow.kind as K).map(({ strategy, step }) => [strategy.group, step]))
  const nodes = flow.ui.nodes?.map((node) => {
    const secret = steps.get(node.group)?.reveal?.(ctx, flow, node)
    return secret ? withTexts(secret, (text) => textFor(ctx, text)) : node
  })
  return { ...flow.ui, nodes: nodes ?? null }
}
