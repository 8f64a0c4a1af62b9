import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { fakeService } from '../testing/fake-service.ts'
import {
  input,
  loginFlowJson,
  ok,
  passedFlowJson,
  providerNode,
  recoveryFlowJson,
  refused,
  registrationFlowJson,
  sentFlowJson,
  sessionJson,
  text,
  traitNode,
} from '../testing/flows.ts'
import { renderForm } from '../testing/render-form.tsx'
import { useLogin, useRecovery, useRegistration, useVerification } from './forms.ts'
import type { Next } from './next.ts'

const openLogin = 'GET /self-service/login/browser'
const postLogin = 'POST /self-service/login'
const DONE = {
  kind: 'done',
  hasSession: true,
  verification: undefined,
  settings: undefined,
  returnTo: undefined,
} as const

const type = (label: string, value: string) =>
  fireEvent.input(screen.getByLabelText(label), { target: { value } })
const send = async () => await act(async () => fireEvent.click(screen.getByRole('button', { name: /^Send/ })))

describe('a login', () => {
  test('has the fields of its method, sends them, and says where the user goes', async () => {
    const network = fakeService({
      'GET /sessions/whoami': [refused(401), ok(sessionJson())],
      [openLogin]: ok(loginFlowJson()),
      [postLogin]: ok({ session: {} }),
    })
    const { next, form } = renderForm(useLogin, 'password')
    await screen.findByText('ready')
    expect(form().groups[0]?.fields.map(({ name }) => name)).toEqual(['identifier', 'password'])
    type('identifier', ' ada@example.com ')
    type('password', ' secret ')
    await send()
    expect(network.calls(postLogin)[0]?.body).toEqual({
      method: 'password',
      csrf_token: 'csrf-of-login-1',
      identifier: 'ada@example.com',
      password: ' secret ',
    })
    await vi.waitFor(() => expect(next).toEqual([DONE]))
  })

  test('shows each message of the form and its fields once, none of an earlier success, and may be sent again', async () => {
    const wrong = text(4000006, 'Wrong password.')
    const messages = [text(1050001, 'Saved.', 'success'), wrong, text(1, 'A hint.', 'info'), wrong]
    const fields = { password: [text(4000002, 'Missing.')] }
    fakeService({
      [openLogin]: ok(loginFlowJson()),
      [postLogin]: { status: 400, body: loginFlowJson({ messages, fields }) },
    })
    const { next } = renderForm(useLogin, 'password')
    await screen.findByText('ready')
    await send()
    await screen.findByText('Wrong password.')
    for (const shown of ['Missing.', 'A hint.']) expect(screen.getByText(shown)).toBeTruthy()
    expect(screen.queryByText('Saved.')).toBeNull()
    expect(screen.getByText('ready')).toBeTruthy()
    expect(next).toEqual([])
  })

  test('that expired is begun again and sent once more', async () => {
    const network = fakeService({
      [openLogin]: [ok(loginFlowJson()), ok(loginFlowJson({ id: 'login-2' }))],
      [postLogin]: [
        { status: 410, body: { error: { id: 'self_service_flow_expired' } } },
        ok({ session: {} }),
      ],
    })
    const { next } = renderForm(useLogin, 'password')
    await screen.findByText('ready')
    await send()
    await vi.waitFor(() => expect(next).toHaveLength(1))
    expect(network.calls(postLogin).map(({ url }) => url.searchParams.get('flow'))).toEqual([
      'login-1',
      'login-2',
    ])
  })

  test('reads the flow of the address, and names the one that replaces it', async () => {
    const onFlowId = vi.fn()
    const network = fakeService({
      'GET /self-service/login/flows': refused(410),
      [openLogin]: ok(loginFlowJson({ id: 'login-2' })),
    })
    renderForm(useLogin, 'password', { id: 'login-1', onFlowId })
    await vi.waitFor(() => expect(onFlowId).toHaveBeenCalledWith('login-2'))
    expect(network.calls('GET /self-service/login/flows')).toHaveLength(1)
  })

  test.each<[string, object, Next]>([
    [
      'a second factor',
      { status: 422, body: { redirect_browser_to: 'http://localhost:3000/login?aal=aal2' } },
      { kind: 'second-factor' },
    ],
    [
      'another page, since the user is logged in',
      { status: 400, body: { error: { id: 'session_already_available' } } },
      { kind: 'already-signed-in' },
    ],
  ])('that needs %s says so', async (_, answer, expected) => {
    fakeService({
      'GET /sessions/whoami': [refused(401), ok(sessionJson())],
      [openLogin]: ok(loginFlowJson()),
      [postLogin]: answer as never,
    })
    const { next } = renderForm(useLogin, 'password')
    await screen.findByText('ready')
    await send()
    await vi.waitFor(() => expect(next).toEqual([expected]))
  })

  test('has a button for each provider, which needs no field', async () => {
    const network = fakeService({
      [openLogin]: ok(loginFlowJson({ providers: [providerNode('github'), providerNode('google')] })),
      [postLogin]: { status: 429, body: { error: { reason: 'Later.', details: { retry_after: 3 } } } },
    })
    const { form } = renderForm(useLogin, 'oidc')
    await screen.findByText('ready')
    expect(form().groups[1]?.fields).toEqual([])
    await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Send google' })))
    expect(network.calls(postLogin)[0]?.body).toMatchObject({ method: 'oidc', provider: 'google' })
    await vi.waitFor(() => expect(form().retryAfter).toBe(3))
  })

  test('leads to the page that the service names', async () => {
    const redirect_browser_to = 'http://localhost:3000/reports'
    const body = { session: {}, continue_with: [{ action: 'redirect_browser_to', redirect_browser_to }] }
    fakeService({ [openLogin]: ok(loginFlowJson()), [postLogin]: ok(body) })
    const { next } = renderForm(useLogin, 'password')
    await screen.findByText('ready')
    await send()
    await vi.waitFor(() => expect(next).toEqual([{ ...DONE, returnTo: redirect_browser_to }]))
  })

  test('is put into the address when it opens, and read only once', async () => {
    const onFlowId = vi.fn()
    const network = fakeService({ [openLogin]: ok(loginFlowJson()) })
    renderForm(useLogin, 'password', { onFlowId })
    await vi.waitFor(() => expect(onFlowId).toHaveBeenCalledWith('login-1'))
    expect(network.calls('GET /self-service/login/flows')).toEqual([])
  })

  test('in another tab ends this one', async () => {
    fakeService({
      'GET /sessions/whoami': [refused(401), ok(sessionJson())],
      [openLogin]: ok(loginFlowJson()),
    })
    const { next } = renderForm(useLogin, 'password')
    await screen.findByText('ready')
    const other = new BroadcastChannel('ostiary')
    other.postMessage({ kind: 'signed-in' })
    await vi.waitFor(() => expect(next).toEqual([{ kind: 'already-signed-in' }]))
    other.close()
  })

  test('of the address that asks a logged-in user again stays', async () => {
    fakeService({
      'GET /sessions/whoami': ok(sessionJson()),
      'GET /self-service/login/flows': ok({ ...loginFlowJson(), refresh: true }),
    })
    const { next, form } = renderForm(useLogin, 'password', { id: 'login-1' })
    await screen.findByText('ready')
    await vi.waitFor(() => expect(form().groups).not.toEqual([]))
    expect(next).toEqual([])
  })

  test('that cannot be sent keeps what is typed, and says that the service is away', async () => {
    fakeService({ [openLogin]: ok(loginFlowJson()), [postLogin]: 'no answer' })
    const { next } = renderForm(useLogin, 'password')
    await screen.findByText('ready')
    type('identifier', 'ada@example.com')
    await send()
    await screen.findByText('unreachable')
    expect((screen.getByLabelText('identifier') as HTMLInputElement).value).toBe('ada@example.com')
    expect(next).toEqual([])
  })

  test('refused without a form says why', async () => {
    const error = { code: 429, id: 'too_many', reason: 'Too many attempts.' }
    fakeService({ [openLogin]: ok(loginFlowJson()), [postLogin]: { status: 429, body: { error } } })
    renderForm(useLogin, 'password')
    await screen.findByText('ready')
    await send()
    await screen.findByText('Too many attempts.')
  })
})

test('a registration sends traits in their places and of their types, and names the verification', async () => {
  const traits = [
    traitNode('name.first', 'First name'),
    traitNode('age', 'Age', { type: 'number' }),
    traitNode('news', 'News', { type: 'checkbox' }),
    input('locale', 'hidden', 'en'),
  ]
  const post = 'POST /self-service/registration'
  const verify = {
    action: 'show_verification_ui',
    flow: { id: 'v-1', url: 'http://localhost:3000/verify?flow=v-1' },
  }
  const network = fakeService({
    'GET /self-service/registration/browser': ok(registrationFlowJson({ traits })),
    [post]: ok({ continue_with: [verify] }),
  })
  const { next } = renderForm(useRegistration, 'password')
  await screen.findByText('ready')
  type('traits.email', 'ada@example.com')
  type('First name', 'Ada')
  type('Age', '36')
  type('password', 'a long secret')
  await send()
  expect(network.calls(post)[0]?.body).toMatchObject({
    method: 'password',
    traits: { email: 'ada@example.com', name: { first: 'Ada' }, age: 36, news: false },
    password: 'a long secret',
  })
  await vi.waitFor(() => expect(next).toEqual([{ ...DONE, hasSession: false, verification: 'v-1' }]))
})

test.each([
  ['a verification', useVerification, 'verification', passedFlowJson(), { ...DONE, hasSession: false }],
  [
    'a recovery',
    useRecovery,
    'recovery',
    {
      ...recoveryFlowJson('passed_challenge'),
      continue_with: [{ action: 'show_settings_ui', flow: { id: 's-1' } }],
    },
    { ...DONE, settings: 's-1' },
  ],
] as const)('%s tells the page when it has ended', async (_, use, kind, body, expected) => {
  const opened = {
    verification: sentFlowJson(),
    recovery: recoveryFlowJson('choose_method'),
  }
  fakeService({
    [`GET /self-service/${kind}/browser`]: ok(opened[kind]),
    [`POST /self-service/${kind}`]: { status: 200, body },
  })
  const { next } = renderForm(use, 'code')
  await screen.findByText('ready')
  await act(async () => fireEvent.click(screen.getAllByRole('button', { name: /^Send/ })[0] as HTMLElement))
  await vi.waitFor(() => expect(next).toEqual([expected]))
})
