import type { Context } from '../../contract/contract.ts'
import type { FormError } from '../../errors/errors.ts'
import { HookRefusal, WrongProof } from '../../errors/errors.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { messages } from '../../ui/messages.ts'
import type { FlowKind } from '../../wire/flow.ts'
import type { InputNode, UiNode } from '../../wire/node.ts'
import type { UiText } from '../../wire/text.ts'
import type { Rejection } from './decision.ts'
import { arrangeLogin, rejectLogin, rendersLoginStep } from './login-form.ts'
import { arrangeRegistration, rendersRegistrationStep } from './registration-form.ts'
import { arrangeSettings, rejectSettings } from './settings-form.ts'
import type { StrategyStep } from './steps.ts'
import { arrangeRecovery, arrangeVerification, rejectVerification } from './verification-form.ts'

/** A step rejects its input, or the flow its result. */
export type ErrorSource = 'step' | 'flow'

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
