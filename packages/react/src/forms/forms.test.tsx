import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { AuthProvider } from '../session/auth-provider.tsx'
import { fakeService } from '../testing/fake-service.ts'
import {
  input,
  loginFlowJson,
  ok,
  providerNode,
  refused,
  registrationFlowJson,
  sessionJson,
  text,
  traitNode,
} from '../testing/flows.ts'
import { useLogin, useRegistration } from './forms.ts'
import type { FlowForm, FlowFormOptions, Next } from './use-flow-form.ts'

const openLogin = 'GET /self-service/login/browser'
const postLogin = 'POST /self-service/login'
const service = { url: '/.ory' }

type Hook = (options: FlowFormOptions) => FlowForm<never>

/** A rendering as a builder would write it. */
function renderForm(use: typeof useLogin | typeof useRegistration, method: string, place = {}) {
  const next: Next[] = []
  let form: FlowForm<never> | undefined
  function Form() {
    form = (use as unknown as Hook)({ ...place, onNext: (one) => next.push(one) })
    const { status, messages, refusal, fields, submit } = form
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit(method, new FormData(event.currentTarget))
        }}
      >
        <p>{status}</p>
        <p role="alert">{typeof refusal === 'object' ? refusal.text : refusal}</p>
        {messages.map(({ id, text }) => (
          <p key={id}>{text}</p>
        ))}
        {fields(method).map(({ name, label, type, messages }) => (
          <label key={name}>
            <span>{label}</span>
            <input name={name} type={type} />
            {messages.map(({ id, text }) => (
              <em key={id}>{text}</em>
            ))}
          </label>
        ))}
        <button type="submit">Send</button>
      </form>
    )
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <AuthProvider service={service}>
        <Form />
      </AuthProvider>
    </QueryClientProvider>,
  )
  return { next, form: () => form as FlowForm<never> }
}

const type = (label: string, value: string) =>
  fireEvent.input(screen.getByLabelText(label), { target: { value } })
const send = async () => await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Send' })))

describe('a login', () => {
  test('has the fields of its method, sends them, and says where the user goes', async () => {
    const network = fakeService({
      'GET /sessions/whoami': [refused(401), ok(sessionJson())],
      [openLogin]: ok(loginFlowJson()),
      [postLogin]: ok({ session: {} }),
    })
    const { next, form } = renderForm(useLogin, 'password')
    await screen.findByText('ready')
    expect(
      form()
        .fields('password')
        .map(({ name }) => name),
    ).toEqual(['identifier', 'password'])
    type('identifier', ' ada@example.com ')
    type('password', ' secret ')
    await send()
    expect(network.calls(postLogin)[0]?.body).toEqual({
      method: 'password',
      csrf_token: 'csrf-of-login-1',
      identifier: 'ada@example.com',
      password: ' secret ',
    })
    await vi.waitFor(() => expect(next).toEqual([{ kind: 'done', verification: undefined }]))
  })

  test('shows the messages of the form and of its fields, and may be sent again', async () => {
    const messages = [text(4000006, 'Wrong password.')]
    const fields = { password: [text(4000002, 'Missing.')] }
    fakeService({
      [openLogin]: ok(loginFlowJson()),
      [postLogin]: { status: 400, body: loginFlowJson({ messages, fields }) },
    })
    const { next } = renderForm(useLogin, 'password')
    await screen.findByText('ready')
    await send()
    await screen.findByText('Wrong password.')
    expect(screen.getByText('Missing.')).toBeTruthy()
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
    const name = vi.fn()
    const network = fakeService({
      'GET /self-service/login/flows': refused(410),
      [openLogin]: ok(loginFlowJson({ id: 'login-2' })),
    })
    renderForm(useLogin, 'password', { id: 'login-1', name })
    await vi.waitFor(() => expect(name).toHaveBeenCalledWith('login-2'))
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
    fakeService({ [openLogin]: ok(loginFlowJson()), [postLogin]: answer as never })
    const { next } = renderForm(useLogin, 'password')
    await screen.findByText('ready')
    await send()
    await vi.waitFor(() => expect(next).toEqual([expected]))
  })

  test('has the providers of the service with the labels of their buttons', async () => {
    fakeService({ [openLogin]: ok(loginFlowJson({ providers: [providerNode('github')] })) })
    const { form } = renderForm(useLogin, 'password')
    await screen.findByText('ready')
    expect(form().providers).toEqual([{ id: 'github', name: undefined, label: 'Go on with github' }])
    expect(form().methods).toEqual([])
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
    await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Too many attempts.'))
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
  await vi.waitFor(() => expect(next).toEqual([{ kind: 'done', verification: 'v-1' }]))
})
