import { lastRecipient } from '../../codes/memo.ts'
import type { Context, Submission } from '../../contract.ts'
import type { FormError } from '../../errors.ts'
import { HookRefusal } from '../../errors.ts'
import { accountLink } from '../../identities/account-link.ts'
import type { Flow } from '../../storage/flows.ts'
import type { Memo } from '../../storage/memo.ts'
import { messages } from '../../ui/messages.ts'
import { asHidden, nodeName, withValue } from '../../ui/nodes.ts'
import { sortLogin } from '../../ui/sort.ts'
import type { InputNode, UiNode } from '../../wire/node.ts'
import type { Cell } from '../engine/cells.ts'

/** `identifier_first` asks for the identifier, then for the credential; a known user sees one screen. */
export function drawsLogin(ctx: Context, flow: Flow<'login'>, { strategy, step }: Cell<'login'>): boolean {
  const link = accountLink.read(flow)
  if (link?.methods) return step.first_screen === true || link.methods.includes(strategy.id)
  if (link) return true
  if (ctx.config.selfservice.flows.login.style === 'unified') return true
  if (flow.refresh || flow.requested_aal === 'aal2' || step.first_screen) return true
  return flow.memo.second_screen?.methods?.includes(strategy.id) ?? false
}

/**
 * Kratos compatibility: a form that just continued keeps the order in which it was built, and an error sorts it. After
 * a code was sent the CSRF token is last (an app has none); after the first screen its nodes stay in front.
 */
export function arrangeLogin(
  flow: Flow<'login'>,
  drawn: readonly UiNode[],
  csrf: InputNode,
): readonly UiNode[] {
  const link = accountLink.read(flow)
  const nodes = link ? linking(drawn, link.identifier) : drawn
  // A rejected code brings the token back for an app.
  const code = lastRecipient.read(flow)
  const isBare = flow.type === 'api' && code !== undefined && !code.plain
  if (hasErrors(flow.memo)) return sortLogin(isBare ? nodes : [csrf, ...nodes])
  if (flow.state === 'sent_email') return flow.type === 'api' ? nodes : [...nodes, csrf]
  if (flow.active === 'identifier_first') return asBefore(flow.ui.nodes ?? [], [csrf, ...nodes])
  return sortLogin([csrf, ...nodes])
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

export function hasErrors({ messages = [] }: Memo): boolean {
  return messages.some(({ message }) => message.type === 'error')
}

/** Fields of the previous form keep their order; new ones and buttons follow. */
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
 * Kratos compatibility: a rejected code leaves an address field without attributes; the rejection by a web hook, or of
 * the wrong account, keeps the chosen method.
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
  const code = lastRecipient.read(flow)
  if (!code || flow.state !== 'sent_email' || values.method !== 'code') return flow
  return lastRecipient.write(flow, { ...code, plain: true })
}
