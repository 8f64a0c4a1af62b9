import {
  type ApiResponse,
  type FrontendApi,
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

export type AnyFlow = LoginFlow | RegistrationFlow | VerificationFlow | RecoveryFlow | SettingsFlow

export interface FlowRequest {
  /** Where the service redirects at the end, also after a provider. An absolute URL that it allows. */
  readonly returnTo?: string | undefined
  /** The request of an OAuth 2.0 server. */
  readonly loginChallenge?: string | undefined
}

export interface FlowCalls<F extends AnyFlow, Body> {
  readonly kind: string
  /** Its id is never in the URL, which belongs to the page below. */
  readonly isInDialog?: true
  create(client: FrontendApi, request?: FlowRequest): Promise<F>
  read(client: FrontendApi, id: string): Promise<F>
  update(client: FrontendApi, flow: string, body: Body): Promise<ApiResponse<unknown>>
  parse(json: unknown): F
}

export const loginFlow: FlowCalls<LoginFlow, UpdateLoginFlowBody> = {
  kind: 'login',
  create: (client, request) => client.createBrowserLoginFlow(request),
  read: (client, id) => client.getLoginFlow({ id }),
  update: (client, flow, updateLoginFlowBody) =>
    client.updateLoginFlowRaw({ flow, updateLoginFlowBody }, asItIs(updateLoginFlowBody)),
  parse: LoginFlowFromJSON,
}

export const secondFactorFlow: FlowCalls<LoginFlow, UpdateLoginFlowBody> = {
  ...loginFlow,
  kind: 'second-factor',
  create: (client, request) => client.createBrowserLoginFlow({ ...request, aal: 'aal2' }),
}

/** Asks a logged-in user again. */
export const refreshFlow: FlowCalls<LoginFlow, UpdateLoginFlowBody> = {
  ...loginFlow,
  kind: 'refresh',
  create: (client, request) => client.createBrowserLoginFlow({ ...request, refresh: true }),
}

/** Over the page that needs it. */
export const confirmationFlow: FlowCalls<LoginFlow, UpdateLoginFlowBody> = {
  ...refreshFlow,
  kind: 'confirmation',
  isInDialog: true,
}

export const registrationFlow: FlowCalls<RegistrationFlow, UpdateRegistrationFlowBody> = {
  kind: 'registration',
  create: (client, request) => client.createBrowserRegistrationFlow(request),
  read: (client, id) => client.getRegistrationFlow({ id }),
  update: (client, flow, updateRegistrationFlowBody) =>
    client.updateRegistrationFlowRaw({ flow, updateRegistrationFlowBody }),
  parse: RegistrationFlowFromJSON,
}

export const verificationFlow: FlowCalls<VerificationFlow, UpdateVerificationFlowBody> = {
  kind: 'verification',
  create: (client, request) => client.createBrowserVerificationFlow(request),
  read: (client, id) => client.getVerificationFlow({ id }),
  update: (client, flow, updateVerificationFlowBody) =>
    client.updateVerificationFlowRaw({ flow, updateVerificationFlowBody }),
  parse: VerificationFlowFromJSON,
}

export const recoveryFlow: FlowCalls<RecoveryFlow, UpdateRecoveryFlowBody> = {
  kind: 'recovery',
  create: (client, request) => client.createBrowserRecoveryFlow(request),
  read: (client, id) => client.getRecoveryFlow({ id }),
  update: (client, flow, updateRecoveryFlowBody) =>
    client.updateRecoveryFlowRaw({ flow, updateRecoveryFlowBody }),
  parse: RecoveryFlowFromJSON,
}

export const settingsFlow: FlowCalls<SettingsFlow, UpdateSettingsFlowBody> = {
  kind: 'settings',
  create: (client, request) => client.createBrowserSettingsFlow(request),
  read: (client, id) => client.getSettingsFlow({ id }),
  update: (client, flow, updateSettingsFlowBody) =>
    client.updateSettingsFlowRaw({ flow, updateSettingsFlowBody }, asItIs(updateSettingsFlowBody)),
  parse: SettingsFlowFromJSON,
}

/**
 * Keeps fields that the client would drop: the csrf_token of a provider's link, and those of our service.
 */
function asItIs(body: object): { body: BodyInit } {
  return { body: body as BodyInit }
}
