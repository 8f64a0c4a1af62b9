// Accounts as hooks.

export type {
  Identity,
  LoginFlow,
  RecoveryFlow,
  RegistrationFlow,
  Session,
  SettingsFlow,
  UiNode,
  UiText,
  VerificationFlow,
} from '@ory/client-fetch'
export type { FormMessage } from './flow/form-message.ts'
export {
  type AnyFlow,
  confirmationFlow,
  type FlowCalls,
  loginFlow,
  recoveryFlow,
  registrationFlow,
  secondFactorFlow,
  settingsFlow,
  verificationFlow,
} from './flow/kinds.ts'
export type { Opened } from './flow/open-flow.ts'
export type { MessageTexts } from './flow/own-words.ts'
export type { Reply } from './flow/submit-flow.ts'
export { type FlowLocation, type UsedFlow, useFlow } from './flow/use-flow.ts'
export {
  type LoginOptions,
  useLogin,
  useRecovery,
  useRegistration,
  useSettings,
  useVerification,
} from './forms/forms.ts'
export type { FormAction, FormField, FormGroup } from './forms/groups.ts'
export type { FlowForm, FlowFormOptions, Next } from './forms/use-flow-form.ts'
export type { IdentityService } from './service.ts'
export { AuthProvider } from './session/auth-provider.tsx'
export { type Auth, type Traits, traitsOf, useAuth } from './session/use-auth.ts'
