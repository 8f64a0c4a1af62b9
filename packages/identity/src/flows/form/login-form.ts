import type { Context, Submission } from '../../contract/contract.ts'
import type { FormError } from '../../errors/errors.ts'
import { HookRefusal } from '../../errors/errors.ts'
import { accountLink } from '../../identities/provider-accounts.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { messages } from '../../ui/messages.ts'
import { asHidden, nodeName, withValue } from '../../ui/nodes.ts'
import { sortLogin } from '../../ui/sort.ts'
import type { InputNode, UiNode } from '../../wire/node.ts'
import type { Cell } from './steps.ts'
import { stepNamed } from './steps.ts'

/** `identifier_first` asks for the identifier, then for the credential; a known user sees one screen. */
export function drawsLogin(ctx: Context, flow: Flow<'login'>, { strategy, step }: Cell<'login'>): boolean {
  const link = accountLink.read(flow)
  if (link?.methods) return step.onFirstScreen === true || link.methods.includes(strategy.id)
  if (link) return true
  if (ctx.config.selfservice.flows.login.style === 'unified') return true
  if (flow.refresh || flow.requested_aal === 'aal2' || step.onFirstScreen) return true
  return flow.memo.second_screen?.methods?.includes(strategy.id) ?? false
}

/** Sorted, unless the step at which the flow is has an order of its own. */
export function arrangeLogin(
  ctx: Context,
  flow: Flow<'login'>,
  drawn: readonly UiNode[],
  csrf: InputNode,
): readonly UiNode[] {
  const link = accountLink.read(flow)
  const nodes = link ? linking(drawn, link.identifier) : drawn
  const own = stepNamed(ctx, flow, flow.memo.only ?? flow.active)?.arrange?.(ctx, flow, nodes, csrf)
  return own ?? sortLogin([csrf, ...nodes])
}

/** The identifier is known, and the button says that signing in links two accounts. */
function linking(nodes: readonly UiNode[], identifier: string): UiNode[] {
  return nodes.map((node) => {
    if (nodeName(node) === 'identifier') return asHidden(withValue(node, identifier))
    return node.meta.label?.id === messages.login.id
      ? { ...node, meta: { ...node.meta, label: messages.loginAndLink } }
      : node
  })
}

/** Kratos compatibility: the rejection by a web hook, or of the wrong account, keeps the chosen method. */
export function refusedLogin(
  ctx: Context,
  flow: Flow<'login'>,
  error: FormError,
  { values }: Submission,
): Flow<'login'> {
  const wrong = error.entries.some(({ message }) => message.id === messages.linkMismatch.id)
  if ((wrong || error instanceof HookRefusal) && typeof values.method === 'string') {
    return { ...flow, active: values.method }
  }
  return stepNamed(ctx, flow, values.method)?.refused?.(flow) ?? flow
}
