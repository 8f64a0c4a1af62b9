import {
  type ApiResponse,
  type LoginFlow,
  LoginFlowFromJSON,
  type RecoveryFlow,
  RecoveryFlowFromJSON,
  type RegistrationFlow,
  RegistrationFlowFromJSON,
  type SettingsFlow,
  SettingsFlowFromJSON,
  type UpdateLoginFlowBody,
  type UpdateRecoveryFlowBody,
  type UpdateRegistrationFlowBody,
  type UpdateSettingsFlowBody,
  type UpdateVerificationFlowBody,
  type VerificationFlow,
  VerificationFlowFromJSON,
} from '@ory/client-fetch'
import { identityClient } from './client.ts'

export type AnyFlow = LoginFlow | RegistrationFlow | VerificationFlow | RecoveryFlow | SettingsFlow

interface FlowRequest {
  /** The final redirect of a provider. */
  readonly returnTo?: string
  /** The request of an OAuth 2.0 server. */
  readonly loginChallenge?: string | undefined
}

export interface FlowCalls<F extends AnyFlow, Body> {
  readonly kind: string
  /** Its id is never in the URL, which belongs to the page below. */
  readonly isInDialog?: true
  create(request?: FlowRequest): Promise<F>
  read(id: string): Promise<F>
  update(flow: string, body: Body): Promise<ApiResponse<unknown>>
  parse(json: unknown): F
}

export const loginFlow: FlowCalls<LoginFlow, UpdateLoginFlowBody> = {
  kind: 'login',
  create: (request) => identityClient().createBrowserLoginFlow(request),
  read: (id) => identityClient().getLoginFlow({ id }),
  update: (flow, updateLoginFlowBody) =>
    identityClient().updateLoginFlowRaw({ flow, updateLoginFlowBody }, asItIs(updateLoginFlowBody)),
  parse: LoginFlowFromJSON,
}

export const secondFactorFlow: FlowCalls<LoginFlow, UpdateLoginFlowBody> = {
  ...loginFlow,
  kind: 'second-factor',
  create: (request) => identityClient().createBrowserLoginFlow({ ...request, aal: 'aal2' }),
}

/** Reauthenticates over the page that needs it. */
export const confirmationFlow: FlowCalls<LoginFlow, UpdateLoginFlowBody> = {
  ...loginFlow,
  kind: 'confirmation',
  isInDialog: true,
  create: () => identityClient().createBrowserLoginFlow({ refresh: true }),
}

export const registrationFlow: FlowCalls<RegistrationFlow, UpdateRegistrationFlowBody> = {
  kind: 'registration',
  create: (request) => identityClient().createBrowserRegistrationFlow(request),
  read: (id) => identityClient().getRegistrationFlow({ id }),
  update: (flow, updateRegistrationFlowBody) =>
    identityClient().updateRegistrationFlowRaw({ flow, updateRegistrationFlowBody }),
  parse: RegistrationFlowFromJSON,
}

export const verificationFlow: FlowCalls<VerificationFlow, UpdateVerificationFlowBody> = {
  kind: 'verification',
  create: () => identityClient().createBrowserVerificationFlow(),
  read: (id) => identityClient().getVerificationFlow({ id }),
  update: (flow, updateVerificationFlowBody) =>
    identityClient().updateVerificationFlowRaw({ flow, updateVerificationFlowBody }),
  parse: VerificationFlowFromJSON,
}

export const recoveryFlow: FlowCalls<RecoveryFlow, UpdateRecoveryFlowBody> = {
  kind: 'recovery',
  create: () => identityClient().createBrowserRecoveryFlow(),
  read: (id) => identityClient().getRecoveryFlow({ id }),
  update: (flow, updateRecoveryFlowBody) =>
    identityClient().updateRecoveryFlowRaw({ flow, updateRecoveryFlowBody }),
  parse: RecoveryFlowFromJSON,
}

export const settingsFlow: FlowCalls<SettingsFlow, UpdateSettingsFlowBody> = {
  kind: 'settings',
  create: () => identityClient().createBrowserSettingsFlow(),
  read: (id) => identityClient().getSettingsFlow({ id }),
  update: (flow, updateSettingsFlowBody) =>
    identityClient().updateSettingsFlowRaw({ flow, updateSettingsFlowBody }, asItIs(updateSettingsFlowBody)),
  parse: SettingsFlowFromJSON,
}

/**
 * Keeps fields that the client would drop: the csrf_token of a provider's link, and those of our service.
 */
function asItIs(body: object): { body: BodyInit } {
  return { body: body as BodyInit }
}
