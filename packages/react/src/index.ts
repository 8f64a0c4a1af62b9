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
export type { AnyFlow } from './flow/kinds.ts'
export type { MessageTexts } from './flow/own-words.ts'
export type { FlowLocation } from './flow/use-flow.ts'
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
