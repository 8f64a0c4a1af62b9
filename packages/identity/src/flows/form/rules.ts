import type { Context, Submission } from '../../contract/contract.ts'
import type { FormError } from '../../errors/errors.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { messages } from '../../ui/messages.ts'
import type { FlowKind } from '../../wire/flow.ts'
import type { InputNode, UiNode } from '../../wire/node.ts'
import type { UiText } from '../../wire/text.ts'
import { arrangeLogin, refuseLogin, rendersLoginStep } from './login-form.ts'
import { arrangeRegistration, rendersRegistrationStep } from './registration-form.ts'
import { arrangeSettings, refuseSettings } from './settings-form.ts'
import type { StrategyStep } from './steps.ts'
import { arrangeRecovery, arrangeVerification, refuseVerification } from './verification-form.ts'

export interface FormRules<K extends FlowKind> {
  /** Returned when a form continues with its next step. */
  readonly stayStatus: 200 | 400
  readonly keepsMessages: boolean
  readonly noMethod: UiText
  /** Used by forms with several screens. */
  rendersStep?(ctx: Context, flow: Flow<K>, step: StrategyStep<K>): boolean
  arrange(ctx: Context, flow: Flow<K>, nodes: readonly UiNode[], csrf: InputNode): readonly UiNode[]
  refuse?(ctx: Context, flow: Flow<K>, error: FormError, submission: Submission): Flow<K>
}

const rules: { readonly [K in FlowKind]: FormRules<K> } = {
  login: {
    stayStatus: 400,
    keepsMessages: false,
    noMethod: messages.noLoginMethod,
    rendersStep: rendersLoginStep,
    arrange: arrangeLogin,
    refuse: refuseLogin,
  },
  registration: {
    stayStatus: 400,
    keepsMessages: false,
    noMethod: messages.noRegistrationMethod,
    rendersStep: rendersRegistrationStep,
    arrange: arrangeRegistration,
  },
  settings: {
    stayStatus: 200,
    keepsMessages: true,
    noMethod: messages.noSettingsMethod,
    arrange: arrangeSettings,
    refuse: refuseSettings,
  },
  recovery: {
    stayStatus: 200,
    keepsMessages: false,
    noMethod: messages.noRecoveryMethod,
    arrange: arrangeRecovery,
  },
  verification: {
    stayStatus: 200,
    keepsMessages: true,
    noMethod: messages.noVerificationMethod,
    arrange: arrangeVerification,
    refuse: refuseVerification,
  },
}

export function formRules<K extends FlowKind>({ kind }: Flow<K>): FormRules<K> {
  return rules[kind as K]
}
