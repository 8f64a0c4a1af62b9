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
export type { OpenFlowResult } from './flow/open-flow.ts'
export type { MessageTexts } from './flow/reword.ts'
export type { Reply } from './flow/submit-flow.ts'
export type { FieldTexts } from './flow/traits.ts'
export type { FlowHandle, FlowLocation, SubmitOptions } from './flow/use-flow.ts'
export {
  type LoginOptions,
  useLogin,
  useRecovery,
  useRegistration,
  useSettings,
  useVerification,
} from './forms/forms.ts'
export type { Action, FormAction, FormField, FormGroup } from './forms/groups.ts'
export type { Next } from './forms/next.ts'
export type { FlowForm, FlowFormOptions, SubmitResult } from './forms/use-flow-form.ts'
export type { PasskeyProblem } from './forms/use-passkeys.ts'
export type { IdentityService } from './service.ts'
export { AuthProvider } from './session/auth-provider.tsx'
export type { OwnSession, Register, Traits } from './session/session.ts'
export { type Auth, useAuth } from './session/use-auth.ts'
