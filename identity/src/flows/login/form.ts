import type { Context, Submission } from '../../contract.ts'
import type { FormError } from '../../errors.ts'
import { HookRefusal } from '../../errors.ts'
import type { Flow, Memo } from '../../storage/flows.ts'
import { messages } from '../../ui/messages.ts'
import { asHidden, nodeName, withValue } from '../../ui/nodes.ts'
import { sortLogin } from '../../ui/sort.ts'
import type { InputNode, UiNode } from '../../wire/node.ts'
import type { Cell } from '../engine/cells.ts'

/** `identifier_first` asks who signs in, then how; who is known already is asked on one screen. */
export function drawsLogin(ctx: Context, flow: Flow<'login'>, { strategy, step }: Cell<'login'>): boolean {
  const { link } = flow.memo
  if (link?.methods) return step.first_screen === true || link.methods.includes(strategy.id)
  if (link) return true
  if (ctx.config.selfservice.flows.login.style === 'unified') return true
  if (flow.refresh || flow.requested_aal === 'aal2' || step.first_screen) return true
  return flow.memo.identifier_first?.methods.includes(strategy.id) ?? false
}

/**
 * Kratos compatibility: a form that just went on stands in the order in which it was put together, and an error sorts it. After
 * a code was sent the token is last (an app has none); after the first screen what stood there stays in front.
 */
export function arrangeLogin(
  flow: Flow<'login'>,
  drawn: readonly UiNode[],
  csrf: InputNode,
): readonly UiNode[] {
  const nodes = flow.memo.link ? linking(drawn, flow.memo.link.identifier) : drawn
  // The code's own refusal brings the token back to an app.
  const { code } = flow.memo
  const isBare = flow.type === 'api' && code !== undefined && !code.plain
  if (hasErrors(flow.memo)) return sortLogin(isBare ? nodes : [csrf, ...nodes])
  if (flow.state === 'sent_email') return flow.type === 'api' ? nodes : [...nodes, csrf]
  if (flow.active === 'identifier_first') return asBefore(flow.ui.nodes ?? [], [csrf, ...nodes])
  return sortLogin([csrf, ...nodes])
}

/** The address is known already, and the button says that signing in connects two accounts. */
function linking(nodes: readonly UiNode[], identifier: string): UiNode[] {
  return nodes.map((node) => {
    if (nodeName(node) === 'identifier') return asHidden(withValue(node, identifier))
    return node.meta.label?.id === messages.login.id
      ? { ...node, meta: { ...node.meta, label: messages.loginAndLink } }
      : node
  })
}

export function hasErrors({ messages = [] }: Memo): boolean {
  return messages.some(({ message }) => message.type === 'error')
}

/** Fields that stood on the form keep their order; what is new, and buttons, follow. */
function asBefore(before: readonly UiNode[], nodes: readonly UiNode[]): UiNode[] {
  const place = (node: UiNode) => (isButton(node) ? -1 : before.findIndex((one) => isSame(one, node)))
  const kept = nodes.filter((node) => place(node) >= 0).toSorted((a, b) => place(a) - place(b))
  return [...kept, ...nodes.filter((node) => place(node) < 0)]
}

function isButton({ type, attributes }: UiNode): boolean {
  return type === 'input' && 'type' in attributes && attributes.type === 'submit'
}

function isSame(one: UiNode, other: UiNode): boolean {
  return one.group === other.group && nodeName(one) === nodeName(other)
}

/**
 * Kratos compatibility: a refused code leaves a bare field for the address; the refusal of a web hook, and of the wrong account,
 * the way that was chosen.
 */
export function refusedLogin(
  _ctx: Context,
  flow: Flow<'login'>,
  error: FormError,
  { values }: Submission,
): Flow<'login'> {
  const wrong = error.entries.some(({ message }) => message.id === messages.linkMismatch.id)
  if ((wrong || error instanceof HookRefusal) && typeof values.method === 'string') {
    return { ...flow, active: values.method }
  }
  const { code } = flow.memo
  if (!code || flow.state !== 'sent_email' || values.method !== 'code') return flow
  return { ...flow, memo: { ...flow.memo, code: { ...code, plain: true } } }
}
