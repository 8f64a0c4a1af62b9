import { continueUrl } from '../../codes/memo.ts'
import type { Context } from '../../contract/contract.ts'
import type { FieldMessage } from '../../errors/errors.ts'
import type { Subject } from '../../identities/subject.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { Memo } from '../../storage/flows/memo.ts'
import { csrfNode, isSubmit, nodeName, withMessages, withTexts, withValue } from '../../ui/nodes.ts'
import { isTrait, traitGroup, traitValueNode } from '../../ui/trait-nodes.ts'
import type { FlowKind } from '../../wire/flow.ts'
import type { Ui, UiNode } from '../../wire/node.ts'
import type { UiText } from '../../wire/text.ts'
import { continuesIn, formRules } from './rules.ts'
import { organizationOf, stepsFor, subjectOf } from './steps.ts'
import { actionUrl } from './urls.ts'

/** The result is stored after the first submission. */
export async function render<K extends FlowKind>(
  ctx: Context,
  flow: Flow<K>,
  knownSubject?: Subject,
): Promise<Flow<K>> {
  const ownNodes = collect(ctx, flow, knownSubject ?? (await subjectOf(ctx, flow)))
  const memo = rememberOrphanFields(flow.memo, ownNodes)
  const worded = (memo.messages ?? []).map((entry) =>
    entry.verbatim ? entry : { ...entry, message: textFor(ctx, entry.message) },
  )
  const wordedMemo = { ...memo, messages: worded }
  const filled = withValuesAndErrors([...ownNodes, ...orphanNodes(flow.kind, memo, ownNodes)], wordedMemo)
  const nodes = formRules(flow).arrange(ctx, { ...flow, memo }, filled, csrfNode(flow.csrf_token))
  const labelled = nodes.map((node) => withTexts(node, (label) => textFor(ctx, label)))
  return { ...flow, memo, ui: { ...targetOf(ctx, flow), nodes: labelled, ...messagesAbove(wordedMemo) } }
}

export function textFor(ctx: Context, text: UiText): UiText {
  return ctx.kratosTexts?.message(text, ctx.now()) ?? text
}

const NOT_RENDERED: Ui = { action: '', method: 'POST', nodes: [] }

/**
 * Opening a flow is free, and its form is ten times larger than the rest, so it is rendered again
 * from the memo. Known users' forms depend on the account and are stored.
 */
export function withoutForm<K extends FlowKind>(flow: Flow<K>): Flow<K> {
  const isAnonymous =
    flow.kind !== 'settings' &&
    flow.state !== 'passed_challenge' &&
    flow.identity_id === undefined &&
    !flow.refresh &&
    flow.requested_aal === 'aal1'
  return isAnonymous ? { ...flow, ui: NOT_RENDERED } : flow
}

export async function withForm<K extends FlowKind>(ctx: Context, flow: Flow<K>): Promise<Flow<K>> {
  return flow.ui.action === '' ? await render(ctx, flow) : flow
}

function targetOf(ctx: Context, flow: Flow): Pick<Ui, 'action' | 'method'> {
  const next = continueUrl.read(flow)
  if (next !== undefined) return { action: next, method: 'GET' }
  return { action: actionUrl(ctx, flow.kind, continuesIn.read(flow) ?? flow.id), method: 'POST' }
}

/** After a submission, only that strategy's nodes remain. No method signs in to an organization. */
function collect<K extends FlowKind>(ctx: Context, flow: Flow<K>, subject: Subject | undefined): UiNode[] {
  if (organizationOf(flow) !== undefined) return []
  const isUnderWay = flow.state === 'sent_email' || flow.state === 'passed_challenge'
  const onlyMethod = flow.memo.only ?? (isUnderWay ? flow.active : undefined)
  let nodes: UiNode[] = []
  const { rendersStep } = formRules(flow)
  for (const one of stepsFor(ctx, flow)) {
    if (onlyMethod !== undefined && one.strategy.id !== onlyMethod) continue
    if (onlyMethod === undefined && rendersStep?.(ctx, flow, one) === false) continue
    nodes = mergeNodes(nodes, one.step.nodes(ctx, flow, subject))
  }
  return nodes
}

/** The last definition of a field replaces the first, in its position. */
function mergeNodes(shownNodes: readonly UiNode[], added: readonly UiNode[]): UiNode[] {
  const nodes = [...shownNodes]
  for (const node of added) {
    const at = isSubmit(node)
      ? -1
      : shownNodes.findIndex((one) => !isSubmit(one) && nodeName(one) === nodeName(node))
    if (at < 0) nodes.push(node)
    else nodes[at] = node
  }
  return nodes
}

/** Keeps nodes for messages about missing fields, and for traits outside the schema. */
function rememberOrphanFields(memo: Memo, ownNodes: readonly UiNode[]): Memo {
  const knownNames = new Set([...ownNodes.map(nodeName), ...(memo.orphanFields ?? [])])
  const traitNames = ownNodes.map(nodeName).filter(isTrait)
  const isListItem = (name: string) => traitNames.some((list) => name.startsWith(`${list}.`))
  const typed = Object.keys(traitNames.length > 0 ? (memo.values ?? {}) : {}).filter(isTrait)
  const traits = typed.filter((name) => !isListItem(name))
  const fields = [...(memo.messages ?? []).map(({ field }) => field), ...traits]
  const unknownFields = fields.filter((field) => field !== undefined && !knownNames.has(field)) as string[]
  // A later screen that lacks the field must not show it again.
  const keptFields = (memo.orphanFields ?? []).filter(
    (name) => !ownNodes.some((node) => nodeName(node) === name),
  )
  const isSame = unknownFields.length === 0 && keptFields.length === (memo.orphanFields ?? []).length
  return isSame ? memo : { ...memo, orphanFields: [...keptFields, ...new Set(unknownFields)] }
}

function orphanNodes(kind: FlowKind, memo: Memo, ownNodes: readonly UiNode[]): UiNode[] {
  const knownNames = new Set(ownNodes.map(nodeName))
  const orphanFields = (memo.orphanFields ?? []).filter((name) => !knownNames.has(name))
  return orphanFields.map((name) =>
    traitValueNode(name, memo.values?.[name], name.startsWith('traits.') ? traitGroup(kind) : 'default'),
  )
}

/** Changes only the first of several nodes with a name. */
function withValuesAndErrors(nodes: readonly UiNode[], memo: Memo): UiNode[] {
  const seen = new Set<string>()
  return nodes.map((node) => {
    const name = nodeName(node)
    if (seen.has(name)) return node
    seen.add(name)
    const value = memo.values?.[name]
    const filled =
      value === undefined || node.type !== 'input' || isSubmit(node)
        ? node
        : withValue(node, value ?? undefined)
    const fieldMessages = (memo.messages ?? [])
      .filter(({ field }) => field === name)
      .map(({ message }) => message)
    return fieldMessages.length === 0 ? filled : withMessages(filled, fieldMessages)
  })
}

function messagesAbove(memo: Memo): Pick<Ui, 'messages'> {
  const formMessages = (memo.messages ?? []).filter((entry: FieldMessage) => entry.field === undefined)
  return formMessages.length === 0 ? {} : { messages: formMessages.map(({ message }) => message) }
}
