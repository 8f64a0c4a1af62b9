import { lastRecipient } from '../../codes/memo.ts'
import type { Context, Submission } from '../../contract/contract.ts'
import { HookRefusal, WrongProof } from '../../errors/errors.ts'
import { accountLink, awaitedProof, namedAccount } from '../../identities/named-account.ts'
import { readFlag } from '../../identities/schema/decode.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { hasErrors, storedFlowField } from '../../storage/flows/memo.ts'
import { messages } from '../../ui/messages.ts'
import { asHidden, input, nodeName, withValue } from '../../ui/nodes.ts'
import { ownMessages } from '../../ui/own-messages.ts'
import { sortLogin } from '../../ui/sort.ts'
import type { FlowKind } from '../../wire/flow.ts'
import type { NodeGroup, UiNode } from '../../wire/node.ts'
import { type FormRules, stepNamed, stepsOf } from './steps.ts'

export const loginForm: FormRules<'login'> = {
  stayStatus: 400,
  noMethod: messages.noLoginMethod,

  /** `identifier_first` asks for the identifier first, except for known users. */
  rendersStep(ctx, flow, { strategy, step }) {
    const account = namedAccount(flow)
    if (account?.methods) return step.onFirstScreen === true || account.methods.includes(strategy.id)
    if (account) return true
    if (ctx.config.selfservice.flows.login.style === 'unified') return true
    if (flow.refresh || flow.requested_aal === 'aal2' || step.onFirstScreen) return true
    return flow.memo.second_screen?.methods?.includes(strategy.id) ?? false
  },

  /** Sorted, unless the step defines an order. */
  arrange(ctx, flow, ofSteps, csrf) {
    const account = namedAccount(flow)
    const all = [...ofSteps, ...staySignedInNodes(ctx, flow)]
    const named = all.map((node) =>
      account && nodeName(node) === 'identifier' ? asHidden(withValue(node, account.identifier)) : node,
    )
    const nodes = accountLink.read(flow) ? linking(named) : named
    const arranged = stepNamed(ctx, flow, flow.memo.only ?? flow.active)?.arrange?.(ctx, flow, nodes, csrf)
    // Kratos compatibility: an app's form gets its token from another method than codes, or from their errors.
    const hasToken = flow.type === 'browser' || nodes.some(({ group }) => bringsToken(ctx, flow, group))
    return arranged ?? sortLogin(hasToken ? [csrf, ...nodes] : nodes)
  },

  // A correct password that is called wrong must look like one (SEC-13).
  keepsTyped: (error, by) => by === 'step' || error instanceof WrongProof,

  /** Kratos compatibility: the chosen method stays after a web hook's rejection or the wrong account. */
  reject(_ctx, rejected, { error, by, submission: { values } }) {
    const rejectedFlow = awaitedProof.read(rejected) ? withReason(rejected) : rejected
    const isUnknown = error.entries.some(({ message }) => message.id === messages.accountUnknown.id)
    // Kratos compatibility: a step that asks for the identifier empties it if it was omitted.
    const { memo } = rejectedFlow
    const flow =
      isUnknown && values.identifier === undefined
        ? { ...rejectedFlow, memo: { ...memo, values: { ...memo.values, identifier: '' } } }
        : rejectedFlow
    const wrong = error.entries.some(({ message }) => message.id === messages.linkMismatch.id)
    if ((wrong || error instanceof HookRefusal) && typeof values.method === 'string') {
      return { ...flow, active: values.method }
    }
    // Kratos compatibility: a rejected code leaves an address field without attributes.
    const last = lastRecipient.read(flow)
    const plain = last && by === 'step' && flow.state === 'sent_email' && values.method === flow.active
    return plain ? lastRecipient.write(flow, { ...last, plain }) : flow
  },
}

function bringsToken(ctx: Context, flow: Flow<'login'>, group: NodeGroup): boolean {
  const owner = stepsOf(ctx, 'login').find(({ strategy }) => strategy.group === group)
  return owner !== undefined && (!owner.step.tokenless || hasErrors(flow.memo))
}

/** Labels the button for linking two accounts. */
function linking(nodes: readonly UiNode[]): UiNode[] {
  return nodes.map((node) =>
    node.meta.label?.id === messages.login.id
      ? { ...node, meta: { ...node.meta, label: messages.loginAndLink } }
      : node,
  )
}

/** Why this browser must sign in. */
function withReason({ memo, ...flow }: Flow<'login'>): Flow<'login'> {
  const messages = [{ message: ownMessages.provedElsewhere }, ...(memo.messages ?? [])]
  return { ...flow, memo: { ...memo, messages } }
}

const FIELD = 'stay_signed_in'
const staysSignedIn = storedFlowField<boolean>('stay_signed_in')
const DAY_MS = 24 * 60 * 60_000

/** Asked with the first factor only. */
function staySignedInNodes(ctx: Context, flow: Flow<'login'>): UiNode[] {
  const { extended_lifespan } = ctx.config.session
  if (extended_lifespan === undefined || !opensSession(flow) || flow.state !== 'choose_method') return []
  const label = ownMessages.staySignedIn(Math.round(extended_lifespan / DAY_MS))
  return [input('default', FIELD, 'checkbox', { value: staysSignedIn.read(flow) === true, label })]
}

/** Later submissions may omit the field. */
export function recordStayChoice<K extends FlowKind>(
  { config }: Context,
  flow: Flow<K>,
  values: Submission['values'],
): Flow<K> {
  const isAsked = flow.kind === 'login' && config.session.extended_lifespan !== undefined
  return isAsked && Object.hasOwn(values, FIELD) ? staysSignedIn.write(flow, readFlag(values, FIELD)) : flow
}

/** In milliseconds. */
export function lifespanOf({ config: { session } }: Context, flow: Flow<'login'>): number {
  const chosen = opensSession(flow) && staysSignedIn.read(flow) === true
  return (chosen ? session.extended_lifespan : undefined) ?? session.lifespan
}

function opensSession(flow: Flow<'login'>): boolean {
  return !flow.refresh && flow.requested_aal === 'aal1'
}
