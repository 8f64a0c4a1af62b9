import type {
  FrontendApi,
  LoginFlow,
  RecoveryFlow,
  RegistrationFlow,
  SettingsFlow,
  UiContainer,
  UiNode,
  UpdateLoginFlowBody,
  UpdateRecoveryFlowBody,
  UpdateRegistrationFlowBody,
  UpdateSettingsFlowBody,
  UpdateVerificationFlowBody,
  VerificationFlow,
} from '@ory/client-fetch'

export interface Form {
  readonly ui: UiContainer
}

export const submitLogin = (api: FrontendApi, flow: LoginFlow, body: UpdateLoginFlowBody, token?: string) =>
  api.updateLoginFlow({ flow: flow.id, updateLoginFlowBody: withCsrf(body, flow), ...header(token) })

export const submitRegistration = (
  api: FrontendApi,
  flow: RegistrationFlow,
  body: UpdateRegistrationFlowBody,
) => api.updateRegistrationFlow({ flow: flow.id, updateRegistrationFlowBody: withCsrf(body, flow) })

export const submitSettings = (
  api: FrontendApi,
  flow: SettingsFlow,
  body: UpdateSettingsFlowBody,
  token?: string,
) => api.updateSettingsFlow({ flow: flow.id, updateSettingsFlowBody: withCsrf(body, flow), ...header(token) })

export const submitVerification = (
  api: FrontendApi,
  flow: VerificationFlow,
  body: UpdateVerificationFlowBody,
) => api.updateVerificationFlow({ flow: flow.id, updateVerificationFlowBody: withCsrf(body, flow) })

export const submitRecovery = (api: FrontendApi, flow: RecoveryFlow, body: UpdateRecoveryFlowBody) =>
  api.updateRecoveryFlow({ flow: flow.id, updateRecoveryFlowBody: withCsrf(body, flow) })

function withCsrf<Body extends object>(body: Body, form: Form) {
  return { ...body, csrf_token: csrfToken(form) }
}

export function csrfToken(form: Form): string {
  return String(inputOf(form, 'csrf_token')?.value ?? '')
}

export function inputOf(form: Form, name: string) {
  const inputs = form.ui.nodes.map(({ attributes }) => attributes)
  return inputs.find((one) => one.node_type === 'input' && one.name === name) as
    | Extract<UiNode['attributes'], { node_type: 'input' }>
    | undefined
}

export function textOf(form: Form, id: string) {
  const texts = form.ui.nodes.map(({ attributes }) => attributes)
  const found = texts.find((one) => one.node_type === 'text' && one.id === id)
  return found?.node_type === 'text' ? found.text : undefined
}

/** Above the form. */
export function messageIds(form: Form): number[] {
  return (form.ui.messages ?? []).map(({ id }) => id)
}

export function fieldMessageIds(form: Form, name: string): number[] {
  const at = form.ui.nodes.filter(({ attributes }) => 'name' in attributes && attributes.name === name)
  return at.flatMap(({ messages }) => messages.map(({ id }) => id))
}

function header(xSessionToken: string | undefined) {
  return xSessionToken === undefined ? {} : { xSessionToken }
}
