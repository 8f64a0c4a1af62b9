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

export interface FlowApi<F extends AnyFlow> {
  readonly kind: string
  create(client: FrontendApi, request?: FlowRequest): Promise<F>
  read(client: FrontendApi, id: string): Promise<F>
  update(client: FrontendApi, flow: string, body: object): Promise<ApiResponse<unknown>>
  parse(json: unknown): F
}

export const loginFlow: FlowApi<LoginFlow> = {
  kind: 'login',
  create: (client, request) => client.createBrowserLoginFlow(request),
  read: (client, id) => client.getLoginFlow({ id }),
  update: (client, flow, body) =>
    client.updateLoginFlowRaw({ flow, updateLoginFlowBody: body as never }, asRawBody(body)),
  parse: LoginFlowFromJSON,
}

export const secondFactorFlow: FlowApi<LoginFlow> = {
  ...loginFlow,
  kind: 'second-factor',
  create: (client, request) => client.createBrowserLoginFlow({ ...request, aal: 'aal2' }),
}

/** Asks a logged-in user again. */
export const refreshFlow: FlowApi<LoginFlow> = {
  ...loginFlow,
  kind: 'refresh',
  create: (client, request) => client.createBrowserLoginFlow({ ...request, refresh: true }),
}

export const registrationFlow: FlowApi<RegistrationFlow> = {
  kind: 'registration',
  create: (client, request) => client.createBrowserRegistrationFlow(request),
  read: (client, id) => client.getRegistrationFlow({ id }),
  update: (client, flow, body) =>
    client.updateRegistrationFlowRaw({ flow, updateRegistrationFlowBody: body as never }, asRawBody(body)),
  parse: RegistrationFlowFromJSON,
}

export const verificationFlow: FlowApi<VerificationFlow> = {
  kind: 'verification',
  create: (client, request) => client.createBrowserVerificationFlow(request),
  read: (client, id) => client.getVerificationFlow({ id }),
  update: (client, flow, body) =>
    client.updateVerificationFlowRaw({ flow, updateVerificationFlowBody: body as never }, asRawBody(body)),
  parse: VerificationFlowFromJSON,
}

export const recoveryFlow: FlowApi<RecoveryFlow> = {
  kind: 'recovery',
  create: (client, request) => client.createBrowserRecoveryFlow(request),
  read: (client, id) => client.getRecoveryFlow({ id }),
  update: (client, flow, body) =>
    client.updateRecoveryFlowRaw({ flow, updateRecoveryFlowBody: body as never }, asRawBody(body)),
  parse: RecoveryFlowFromJSON,
}

export const settingsFlow: FlowApi<SettingsFlow> = {
  kind: 'settings',
  create: (client, request) => client.createBrowserSettingsFlow(request),
  read: (client, id) => client.getSettingsFlow({ id }),
  update: (client, flow, body) =>
    client.updateSettingsFlowRaw({ flow, updateSettingsFlowBody: body as never }, asRawBody(body)),
  parse: SettingsFlowFromJSON,
}

/** The client would drop fields that it does not know, such as those of our service. */
function asRawBody(body: object): { body: BodyInit } {
  return { body: body as BodyInit }
}
