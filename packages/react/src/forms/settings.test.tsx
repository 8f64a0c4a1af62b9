import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { fakeService } from '../testing/fake-service.ts'
import {
  ADA,
  input,
  ok,
  refused,
  registrationFlowJson,
  sentFlowJson,
  sessionJson,
  settingsFlowJson,
} from '../testing/flows.ts'
import { renderForm } from '../testing/render-form.tsx'
import { useLogin, useRegistration, useSettings, useVerification } from './forms.ts'

const openSettings = 'GET /self-service/settings/browser'
const postSettings = 'POST /self-service/settings'
const send = async () => await act(async () => fireEvent.click(screen.getByRole('button', { name: /^Send/ })))

test('a button of settings sends its own name and value', async () => {
  const unlink = { ...input('totp_unlink', 'submit', 'true'), group: 'totp' }
  const post = 'POST /self-service/settings'
  const flow = {
    ...settingsFlowJson(),
    ui: { action: '', method: 'POST', nodes: [input('csrf_token', 'hidden', 'c'), unlink] },
  }
  const network = fakeService({
    'GET /self-service/settings/browser': ok(flow),
    [post]: ok({ ...flow, state: 'success' }),
  })
  const { next } = renderForm(useSettings, 'totp')
  await screen.findByText('ready')
  await send()
  expect(next).toEqual([{ kind: 'saved' }])
  expect(network.calls(post)[0]?.body).toEqual({ method: 'totp', totp_unlink: true, csrf_token: 'c' })
})

test('a refusal is not taken for success after an earlier change was saved', async () => {
  const unlink = { ...input('totp_unlink', 'submit', 'true'), group: 'totp' }
  const flow = {
    ...settingsFlowJson(),
    state: 'success',
    ui: { action: '', method: 'POST', nodes: [input('csrf_token', 'hidden', 'c'), unlink] },
  }
  const messages = [{ id: 4000001, type: 'error', text: 'No.' }]
  const post = 'POST /self-service/settings'
  for (const ui of [
    { ...flow.ui, messages },
    { ...flow.ui, nodes: [flow.ui.nodes[0], { ...unlink, messages }] },
  ]) {
    fakeService({
      'GET /self-service/settings/browser': ok(flow),
      [post]: { status: 400, body: { ...flow, ui } },
    })
    const { next } = renderForm(useSettings, 'totp')
    await screen.findByText('ready')
    await send()
    expect(next).toEqual([])
    cleanup()
  }
})

test('a field that is not given keeps its value, and a typed one changes', async () => {
  const network = fakeService({
    [openSettings]: ok(settingsFlowJson({ name: 'Ada' })),
    [postSettings]: ok(settingsFlowJson({ name: 'Ada', state: 'success' })),
  })
  const { form } = renderForm(useSettings, 'profile')
  await screen.findByText('ready')
  await act(async () => void (await form().submit({ method: 'profile' })))
  await act(async () => void (await form().submit({ method: 'profile' }, { 'traits.name': 'Grace' })))
  const traits = network.calls(postSettings).map(({ body }) => (body as { traits: object }).traits)
  expect(traits).toEqual([
    { email: 'ada@example.com', name: 'Ada' },
    { email: 'ada@example.com', name: 'Grace' },
  ])
})

test('a field that is not given keeps what is stored, although another text was refused', async () => {
  const typed = settingsFlowJson({ name: 'Ada' }) as { ui: { nodes: { attributes: { value?: string } }[] } }
  for (const { attributes } of typed.ui.nodes) attributes.value = 'refused'
  const more = { ...typed, identity: { traits: { email: ADA, name: 'Ada', langs: ['en'] } } }
  const network = fakeService({ [openSettings]: ok(more), [postSettings]: ok(settingsFlowJson()) })
  const { form } = renderForm(useSettings, 'profile')
  await screen.findByText('ready')
  await act(async () => void (await form().submit({ method: 'profile' }, { 'traits.name': 'Grace' })))
  expect(network.calls(postSettings)[0]?.body.traits).toEqual({ email: ADA, name: 'Grace', langs: ['en'] })
})

test('of two forms of one method, the second builds on what the first has stored', async () => {
  const network = fakeService({
    [openSettings]: ok(settingsFlowJson()),
    [postSettings]: ok(settingsFlowJson({ name: 'Ada', state: 'success' })),
  })
  const { form } = renderForm(useSettings, 'profile')
  await screen.findByText('ready')
  const save = (name: string, value: string) => form().submit({ method: 'profile' }, { [name]: value })
  const both = () => Promise.all([save('traits.name', 'Ada'), save('traits.email', 'grace@example.com')])
  await act(async () => void (await both()))
  const traits = network.calls(postSettings).map(({ body }) => body.traits)
  expect(traits).toEqual([
    { email: ADA, name: 'Ada' },
    { email: 'grace@example.com', name: 'Ada' },
  ])
})

const askAgain = {
  status: 403,
  body: { error: { id: 'session_refresh_required' }, redirect_browser_to: 'http://localhost:3000/confirm' },
}

test.each([
  [true, 2, [{ kind: 'saved' }]],
  [false, 1, [{ kind: 'confirm', url: 'http://localhost:3000/confirm' }]],
] as const)(
  'a change that needs a recent login is sent again if the user confirms: %s',
  async (isConfirmed, times, expected) => {
    const network = fakeService({
      [openSettings]: ok(settingsFlowJson()),
      [postSettings]: [askAgain, ok(settingsFlowJson({ state: 'success' }))],
    })
    const { next, form } = renderForm(useSettings, 'profile', { onConfirm: async () => isConfirmed })
    await screen.findByText('ready')
    await act(async () => void (await form().submit({ method: 'password' }, { password: 'quiet words' })))
    expect(network.calls(postSettings)).toHaveLength(times)
    expect(next).toEqual(expected)
  },
)

test('an action that is pressed twice is sent once', async () => {
  const network = fakeService({
    [openSettings]: ok(settingsFlowJson()),
    [postSettings]: ok(settingsFlowJson({ state: 'success' })),
  })
  const { form } = renderForm(useSettings, 'profile')
  await screen.findByText('ready')
  const press = () => form().submit({ method: 'totp', name: 'totp_unlink', value: 'true' })
  const [first, second] = await act(async () => await Promise.all([press(), press()]))
  expect(second).toBe(first)
  expect(network.calls(postSettings)).toHaveLength(1)
})

test('a user who is logged in opens no login, and is led on', async () => {
  const network = fakeService({ 'GET /sessions/whoami': ok(sessionJson()) })
  const { next } = renderForm(useLogin, 'password', {}, () => true)
  await vi.waitFor(() => expect(next).toEqual([{ kind: 'already-signed-in' }]))
  expect(network.calls('GET /self-service/login/browser')).toEqual([])
})

test('a user whose session needs a second factor is led there', async () => {
  fakeService({
    'GET /sessions/whoami': refused(403, 'session_aal2_required'),
    'GET /self-service/login/browser': refused(400, 'session_already_available'),
  })
  const { next } = renderForm(useLogin, 'password')
  await vi.waitFor(() => expect(next).toEqual([{ kind: 'second-factor' }]))
})

test('a refused registration stays at its form', async () => {
  fakeService({
    'GET /self-service/registration/browser': ok(registrationFlowJson()),
    'POST /self-service/registration': refused(401),
  })
  const { next, form } = renderForm(useRegistration, 'password')
  await screen.findByText('ready')
  await act(async () => void (await form().submit({ method: 'password' })))
  expect(next).toEqual([])
})

test('a second step whose flow is gone is led to a new one', async () => {
  fakeService({
    'GET /sessions/whoami': refused(403, 'session_aal2_required'),
    'GET /self-service/login/flows': refused(404),
    'GET /self-service/login/browser': refused(400, 'session_already_available'),
  })
  const { next } = renderForm(useLogin, 'totp', { id: 'gone' })
  await vi.waitFor(() => expect(next).toEqual([{ kind: 'second-factor' }]))
})

test('a flow goes into the address when its code is on the way', async () => {
  const onFlowId = vi.fn()
  fakeService({
    'GET /self-service/verification/browser': ok({ ...sentFlowJson(), state: 'choose_method' }),
    'POST /self-service/verification': ok(sentFlowJson()),
  })
  const { form } = renderForm(useVerification, 'code', { onFlowId, namesNewFlows: false })
  await screen.findByText('ready')
  expect(onFlowId).not.toHaveBeenCalled()
  await act(async () => void (await form().submit({ method: 'code' }, { email: 'ada@example.com' })))
  expect(onFlowId).toHaveBeenCalledWith('verification-1')
})

test('a code entered in another tab opens the flow again', async () => {
  const network = fakeService({ 'GET /self-service/verification/flows': () => ok(sentFlowJson()) })
  renderForm(useVerification, 'code', { id: 'verification-1' })
  await screen.findByText('ready')
  const other = new BroadcastChannel('ostiary')
  other.postMessage({ kind: 'verified', flow_id: 'verification-1' })
  await vi.waitFor(() => expect(network.calls('GET /self-service/verification/flows')).toHaveLength(2))
  other.close()
})

test('two forms of one action are both sent, the later one after the earlier one', async () => {
  const network = fakeService({
    [openSettings]: ok(settingsFlowJson({ name: 'Ada' })),
    [postSettings]: ok(settingsFlowJson({ name: 'Ada', state: 'success' })),
  })
  const { form } = renderForm(useSettings, 'profile')
  await screen.findByText('ready')
  const save = (name: string, value: string) => {
    const typed = new FormData()
    typed.set(name, value)
    return form().submit({ method: 'profile' }, typed)
  }
  await act(
    async () =>
      void (await Promise.all([save('traits.name', 'Eve'), save('traits.email', 'eve@example.com')])),
  )
  expect(network.calls(postSettings).map(({ body }) => body.traits)).toEqual([
    { email: 'ada@example.com', name: 'Eve' },
    { email: 'eve@example.com', name: 'Ada' },
  ])
})
