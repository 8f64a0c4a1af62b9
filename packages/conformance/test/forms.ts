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

export function submitLogin(
  api: FrontendApi,
  { id, ui }: LoginFlow,
  body: UpdateLoginFlowBody,
  token?: string,
) {
  const updateLoginFlowBody = { ...body, csrf_token: csrfToken({ ui }) }
  return api.updateLoginFlow({ flow: id, updateLoginFlowBody, ...header(token) })
}

export function submitRegistration(
  api: FrontendApi,
  { id, ui }: RegistrationFlow,
  body: UpdateRegistrationFlowBody,
) {
  const updateRegistrationFlowBody = { ...body, csrf_token: csrfToken({ ui }) }
  return api.updateRegistrationFlow({ flow: id, updateRegistrationFlowBody })
}

export function submitSettings(
  api: FrontendApi,
  { id, ui }: SettingsFlow,
  body: UpdateSettingsFlowBody,
  token?: string,
) {
  const updateSettingsFlowBody = { ...body, csrf_token: csrfToken({ ui }) }
  return api.updateSettingsFlow({ flow: id, updateSettingsFlowBody, ...header(token) })
}

export function submitVerification(
  api: FrontendApi,
  { id, ui }: VerificationFlow,
  body: UpdateVerificationFlowBody,
) {
  const updateVerificationFlowBody = { ...body, csrf_token: csrfToken({ ui }) }
  return api.updateVerificationFlow({ flow: id, updateVerificationFlowBody })
}

export function submitRecovery(api: FrontendApi, { id, ui }: RecoveryFlow, body: UpdateRecoveryFlowBody) {
  const updateRecoveryFlowBody = { ...body, csrf_token: csrfToken({ ui }) }
  return api.updateRecoveryFlow({ flow: id, updateRecoveryFlowBody })
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
