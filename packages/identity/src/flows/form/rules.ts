import { mustEnterAddress } from '../../codes/memo.ts'
import type { Context } from '../../contract/contract.ts'
import { type FormError, HookRefusal, LimitReached, WrongProof } from '../../errors/errors.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { messages } from '../../ui/messages.ts'
import { asHidden, nodeName } from '../../ui/nodes.ts'
import { sortRegistration } from '../../ui/sort.ts'
import { isTrait } from '../../ui/trait-nodes.ts'
import type { FlowKind } from '../../wire/flow.ts'
import type { InputNode, UiNode } from '../../wire/node.ts'
import type { UiText } from '../../wire/text.ts'
import { selectedSchema } from './admission.ts'
import type { ErrorSource, Rejection } from './decision.ts'
import { arrangeLogin, rejectLogin, rendersLoginStep } from './login-form.ts'
import { arrangeSettings, rejectSettings } from './settings-form.ts'
import { type StrategyStep, stepNamed } from './steps.ts'
import { keptValues } from './values.ts'

export interface FormRules<K extends FlowKind> {
  /** The status when a form continues with its next step. */
  readonly stayStatus: 200 | 400
  readonly noMethod: UiText
  rendersStep?(ctx: Context, flow: Flow<K>, step: StrategyStep<K>): boolean
  arrange(ctx: Context, flow: Flow<K>, nodes: readonly UiNode[], csrf: InputNode): readonly UiNode[]
  /** Kratos compatibility: whether an error leaves what was typed in the form. */
  keepsTyped(error: FormError, by: ErrorSource): boolean
  /** Changes what the form shows after an error. */
  reject?(ctx: Context, flow: Flow<K>, rejection: Rejection): Flow<K>
}

const rules: { readonly [K in FlowKind]: FormRules<K> } = {
  login: {
    stayStatus: 400,
    noMethod: messages.noLoginMethod,
    rendersStep: rendersLoginStep,
    arrange: arrangeLogin,
    // A correct password that is called wrong must look like one (SEC-13).
    keepsTyped: (error, by) => by === 'step' || error instanceof WrongProof,
    reject: rejectLogin,
  },
  registration: {
    stayStatus: 400,
    noMethod: messages.noRegistrationMethod,
    rendersStep: rendersRegistrationStep,
    arrange: arrangeRegistration,
    keepsTyped: (error, by) => by === 'step' || error instanceof HookRefusal,
  },
  settings: {
    stayStatus: 200,
    noMethod: messages.noSettingsMethod,
    arrange: arrangeSettings,
    keepsTyped: () => true,
    reject: rejectSettings,
  },
  recovery: {
    stayStatus: 200,
    noMethod: messages.noRecoveryMethod,
    arrange: arrangeRecovery,
    keepsTyped: () => false,
  },
  verification: {
    stayStatus: 200,
    noMethod: messages.noVerificationMethod,
    arrange: arrangeVerification,
    keepsTyped: () => false,
    reject: rejectVerification,
  },
}

export function formRules<K extends FlowKind>({ kind }: Flow<K>): FormRules<K> {
  return rules[kind as K]
}

function rendersRegistrationStep(
  ctx: Context,
  flow: Flow<'registration'>,
  { step }: StrategyStep<'registration'>,
): boolean {
  if (ctx.config.selfservice.flows.registration.style === 'unified') return true
  return step.onFirstScreen === true || flow.memo.second_screen !== undefined
}

/** Sorted, unless the step defines an order. */
function arrangeRegistration(
  ctx: Context,
  flow: Flow<'registration'>,
  nodes: readonly UiNode[],
  csrf: InputNode,
): readonly UiNode[] {
  const settled = flow.state === 'choose_method' && !flow.memo.second_screen ? nodes : nodes.map(settledTrait)
  const arranged = stepNamed(ctx, flow, flow.active)?.arrange?.(ctx, flow, settled, csrf)
  if (arranged) return arranged
  const keys = selectedSchema(ctx, flow.identity_schema).leaves.map((leaf) => leaf.path)
  return sortRegistration([csrf, ...settled], keys)
}

function settledTrait(node: UiNode): UiNode {
  return isTrait(nodeName(node)) ? asHidden(node) : node
}

function arrangeVerification(
  ctx: Context,
  flow: Flow<'verification'>,
  nodes: readonly UiNode[],
  csrf: InputNode,
): readonly UiNode[] {
  return stepNamed(ctx, flow, flow.active)?.arrange?.(ctx, flow, nodes, csrf) ?? [csrf, ...nodes]
}

/** The form for an operator's code gets a CSRF token once a browser enters it. */
function arrangeRecovery(
  _ctx: Context,
  flow: Flow<'recovery'>,
  nodes: readonly UiNode[],
  csrf: InputNode,
): readonly UiNode[] {
  if (!flow.memo.by_operator) return [csrf, ...nodes]
  return flow.csrf_token === '' ? nodes : [...nodes, csrf]
}

/** Keeps earlier messages. A limit changes nothing else, because the emailed code may still be entered. */
function rejectVerification(
  _ctx: Context,
  rejected: Flow<'verification'>,
  { error, submission: { values, problem }, previousMessages, wasUnclaimed }: Rejection,
): Flow<'verification'> {
  const { entries } = error
  const missing = messages.required('').id
  // Kratos compatibility: an omitted address and a missing method renew the address field.
  const renewed = new Set(entries.filter(({ message }) => message.id === missing).map(({ field }) => field))
  const ends = entries.some(({ message }) => message.id === messages.noVerificationMethod.id)
  if (ends && !wasUnclaimed) renewed.add('email')
  const keptMessages = previousMessages.filter(({ field }) => field === undefined || !renewed.has(field))
  const flow = { ...rejected, memo: { ...rejected.memo, messages: [...keptMessages, ...entries] } }
  if (error instanceof LimitReached || wasUnclaimed) return flow
  const isRead = entries.some(({ message, field }) => field === undefined || message.id === missing)
  if (problem !== undefined || !isRead) return flow
  // Kratos compatibility: a code without an address leaves the address in the form.
  const keptEmail = flow.state === 'sent_email' && !renewed.has('email') ? flow.memo.values?.email : undefined
  const email = typeof values.email === 'string' ? values.email : (keptEmail ?? '')
  const memo = {
    ...flow.memo,
    ...mustEnterAddress.entry(true),
    values: keptValues(flow.memo.values, { email }),
  }
  return { ...flow, memo }
}
