import { act, fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { type Answer, fakeService } from '../testing/fake-service.ts'
import {
  input,
  loginFlowJson,
  ok,
  refused,
  registrationFlowJson,
  settingsFlowJson,
  text,
} from '../testing/flows.ts'
import { renderForm } from '../testing/render-form.tsx'
import { useLogin, useRegistration, useSettings } from './forms.ts'

const closed = new DOMException('closed', 'NotAllowedError')
const create = vi.fn<(given: { publicKey: PublicKeyCredentialCreationOptions }) => Promise<unknown>>()
const forget = vi.fn(async () => undefined)
const inGroup = (node: object) => ({ ...node, group: 'passkey' })
const options = {
  publicKey: {
    rp: { id: 'localhost' },
    user: { id: 'AAAA', name: '' },
    challenge: 'AAAA',
    pubKeyCredParams: [],
  },
}

beforeEach(() => {
  forget.mockClear()
  create.mockResolvedValue({
    id: 'new-one',
    rawId: new ArrayBuffer(1),
    type: 'public-key',
    response: { attestationObject: new ArrayBuffer(1), clientDataJSON: new ArrayBuffer(1) },
    getClientExtensionResults: () => ({}),
  })
  vi.stubGlobal('PublicKeyCredential', Object.assign(class {}, { signalUnknownCredential: forget }))
  vi.stubGlobal('navigator', { ...navigator, credentials: { create, get: () => Promise.reject(closed) } })
})

async function known(): Promise<object> {
  const bytes = new ArrayBuffer(1)
  const response = { authenticatorData: bytes, clientDataJSON: bytes, signature: bytes }
  return { ...((await create({} as never)) as object), response }
}

async function send(): Promise<void> {
  await screen.findByText('ready')
  await act(async () => fireEvent.click(screen.getByRole('button', { name: /trigger/ })))
}

const data = (json: object) => inGroup(input('passkey_create_data', 'hidden', JSON.stringify(json)))
const trigger = (name: string) => inGroup(input(name, 'button'))

test('a dialog that the user closes says so, and sends nothing', async () => {
  const challenge = JSON.stringify({ publicKey: { challenge: 'AAAA' } })
  const choices = [inGroup(input('passkey_challenge', 'hidden', challenge)), trigger('passkey_login_trigger')]
  const network = fakeService({ 'GET /self-service/login/browser': ok(loginFlowJson({ choices })) })
  const { form } = renderForm(useLogin, 'passkey')
  await send()
  await vi.waitFor(() => expect(form().passkeyProblem).toBe('cancelled'))
  expect(network.calls('POST /self-service/login')).toEqual([])
  expect(form().status).toBe('ready')
})

test('a new passkey has the typed name, and leaves the device if the service refuses it', async () => {
  const traits = [
    data({ credentialOptions: options, displayNameFieldName: 'traits.email' }),
    trigger('passkey_register_trigger'),
  ]
  const taken = { status: 400, body: registrationFlowJson({ messages: [text(4000007, 'Taken.')] }) }
  fakeService({
    'GET /self-service/registration/browser': ok(registrationFlowJson({ traits })),
    'POST /self-service/registration': taken,
  })
  renderForm(useRegistration, 'passkey')
  fireEvent.input(await screen.findByLabelText('traits.email'), { target: { value: 'ada@example.com' } })
  await send()
  await screen.findByText('Taken.')
  expect(create.mock.lastCall?.[0].publicKey.user.name).toBe('ada@example.com')
  expect(forget).toHaveBeenCalledWith({ rpId: 'localhost', credentialId: 'new-one' })
})

test('a new passkey that the service stores after its own confirmation stays on the device', async () => {
  const flow = settingsFlowJson() as { ui: { nodes: object[] } }
  flow.ui.nodes.push(data(options), trigger('passkey_register_trigger'))
  const url = '/self-service/login/browser?refresh=true'
  fakeService({
    'GET /self-service/settings/browser': ok(flow),
    'POST /self-service/settings': refused(403, 'session_refresh_required', { redirect_browser_to: url }),
  })
  const { next } = renderForm(useSettings, 'passkey')
  await send()
  await vi.waitFor(() => expect(next).toEqual([{ kind: 'confirm', url }]))
  expect(forget).not.toHaveBeenCalled()
})

test('a new passkey leaves the device if the user does not confirm', async () => {
  const flow = settingsFlowJson() as { ui: { nodes: object[] } }
  flow.ui.nodes.push(data(options), trigger('passkey_register_trigger'))
  const redirect_browser_to = '/self-service/login/browser?refresh=true'
  fakeService({
    'GET /self-service/settings/browser': ok(flow),
    'POST /self-service/settings': refused(403, 'session_refresh_required', { redirect_browser_to }),
  })
  renderForm(useSettings, 'passkey', { onConfirm: async () => false })
  await send()
  await vi.waitFor(() => expect(forget).toHaveBeenCalledWith({ rpId: 'localhost', credentialId: 'new-one' }))
})

test('a device that has a passkey of the account already makes no second one', async () => {
  const flow = settingsFlowJson() as { ui: { nodes: object[] } }
  flow.ui.nodes.push(
    data(options),
    inGroup(input('passkey_remove', 'submit', '0aff')),
    trigger('passkey_register_trigger'),
  )
  const network = fakeService({ 'GET /self-service/settings/browser': ok(flow) })
  create.mockRejectedValue(new DOMException('known', 'InvalidStateError'))
  const { form } = renderForm(useSettings, 'passkey')
  await send()
  await vi.waitFor(() => expect(form().passkeyProblem).toBe('known-here'))
  const known = create.mock.lastCall?.[0].publicKey.excludeCredentials?.[0]?.id
  expect([...new Uint8Array(known as ArrayBuffer)]).toEqual([0x0a, 0xff])
  expect(network.calls('POST /self-service/settings')).toEqual([])
})

test('a press before the form has arrived answers the question of that form', async () => {
  const arrival = Promise.withResolvers<Answer>()
  const challenge = JSON.stringify({ publicKey: { challenge: 'AAAA' } })
  const choices = [inGroup(input('passkey_challenge', 'hidden', challenge)), trigger('passkey_login_trigger')]
  const network = fakeService({
    'GET /self-service/login/browser': () => arrival.promise,
    'POST /self-service/login': ok({ session: {} }),
  })
  vi.stubGlobal('navigator', { ...navigator, credentials: { create, get: known } })
  const { form } = renderForm(useLogin, 'passkey')
  const pressed = form().submit({ method: 'passkey' })
  arrival.resolve(ok(loginFlowJson({ choices })))
  await act(async () => void (await pressed))
  expect(network.calls('GET /self-service/login/browser')).toHaveLength(1)
  expect(network.calls('POST /self-service/login')[0]?.body).toMatchObject({ method: 'passkey' })
})

test('a chosen suggestion that is refused has a result', async () => {
  const challenge = JSON.stringify({ publicKey: { challenge: 'AAAA' } })
  const choices = [inGroup(input('passkey_challenge', 'hidden', challenge))]
  fakeService({
    'GET /self-service/login/browser': ok(loginFlowJson({ choices })),
    'POST /self-service/login': { status: 400, body: loginFlowJson({ choices }) },
  })
  const conditional = { isConditionalMediationAvailable: async () => true }
  vi.stubGlobal('PublicKeyCredential', Object.assign(class {}, conditional))
  vi.stubGlobal('navigator', { ...navigator, credentials: { get: async () => await known() } })
  document.body.insertAdjacentHTML('beforeend', '<input autocomplete="username webauthn">')
  const { form } = renderForm(useLogin, 'passkey')
  await vi.waitFor(() => expect(form().suggestion?.kind).toBe('form'))
  document.querySelector('[autocomplete]')?.remove()
})

test('a passkey that is removed leaves the device', async () => {
  const flow = settingsFlowJson() as { ui: { nodes: object[] } }
  flow.ui.nodes.push(data(options), inGroup(input('passkey_remove', 'submit', '0aff')))
  fakeService({
    'GET /self-service/settings/browser': ok(flow),
    'POST /self-service/settings': ok(settingsFlowJson({ state: 'success' })),
  })
  const { form } = renderForm(useSettings, 'passkey')
  await screen.findByText('ready')
  const removal = { method: 'passkey', name: 'passkey_remove', value: '0aff' }
  await act(async () => void (await form().submit(removal)))
  expect(forget).toHaveBeenCalledWith({ rpId: 'localhost', credentialId: 'Cv8' })
})
