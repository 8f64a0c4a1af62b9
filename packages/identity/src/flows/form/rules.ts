import type { Context } from '../../contract/contract.ts'
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

export interface FormRules<K extends FlowKind> {
  /** The status when a form continues with its next step. */
  readonly stayStatus: 200 | 400
  readonly noMethod: UiText
  rendersStep?(ctx: Context, flow: Flow<K>, step: StrategyStep<K>): boolean
  arrange(ctx: Context, flow: Flow<K>, nodes: readonly UiNode[], csrf: InputNode): readonly UiNode[]
  /** Changes what the form shows after an error. */
  reject?(ctx: Context, flow: Flow<K>, rejection: Rejection): Flow<K>
}

const rules: { readonly [K in FlowKind]: FormRules<K> } = {
  login: {
    stayStatus: 400,
    noMethod: messages.noLoginMethod,
    rendersStep: rendersLoginStep,
    arrange: arrangeLogin,
    reject: rejectLogin,
  },
  registration: {
    stayStatus: 400,
    noMethod: messages.noRegistrationMethod,
    rendersStep: rendersRegistrationStep,
    arrange: arrangeRegistration,
  },
  settings: {
    stayStatus: 200,
    noMethod: messages.noSettingsMethod,
    arrange: arrangeSettings,
    reject: rejectSettings,
  },
  recovery: {
    stayStatus: 200,
    noMethod: messages.noRecoveryMethod,
    arrange: arrangeRecovery,
  },
  verification: {
    stayStatus: 200,
    noMethod: messages.noVerificationMethod,
    arrange: arrangeVerification,
    reject: rejectVerification,
  },
}

export function formRules<K extends FlowKind>({ kind }: Flow<K>): FormRules<K> {
  return rules[kind as K]
}
