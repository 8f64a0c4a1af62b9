// The protocol's types, for clients.

export type { ErrorId, GenericError } from './error.ts'
export type {
  ContinueWith,
  FlowKind,
  FlowState,
  FlowType,
  LoginFlow,
  Method,
  RecoveryFlow,
  RegistrationFlow,
  SettingsFlow,
  VerificationFlow,
} from './flow.ts'
export type { Identity, JsonObject, RecoveryAddress, VerifiableAddress } from './identity.ts'
export type { InputNode, NodeGroup, Ui, UiNode } from './node.ts'
export type { AuthenticationMethod, Device, Session } from './session.ts'
export type { UiText } from './text.ts'
