import { fakeService } from '@ostiary/react/testing/fake-service'
import {
  ADA,
  bad,
  loginFlowJson,
  ok,
  refused,
  sentFlowJson,
  sessionJson,
  showVerification,
  text,
} from '@ostiary/react/testing/flows'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import * as product from '../../../../../app.config.ts'
import { renderApp, waitForFocus } from '../../testing/render-app.tsx'

const create = 'GET /self-service/login/browser'
const submit = 'POST /self-service/login'
const wrong = text(4000006, 'The address or the password is wrong.')

async function openLogin(routes: Parameters<typeof fakeService>[0] = {}) {
  const service = fakeService({ [create]: ok(loginFlowJson()), ...routes })
  const app = renderApp('/login')
  const email = await screen.findByLabelText('Email')
  return { service, app, email, password: screen.getByLabelText('Password') }
}

async function signIn(email = ADA, password = 'secret words') {
  await userEvent.type(screen.getByLabelText('Email'), email)
  await userEvent.type(screen.getByLabelText('Password'), `${password}{Enter}`)
}

test('the page offers an account, a forgotten password and both providers', async () => {
  await openLogin()
  expect(screen.getByRole('link', { name: 'Sign up' }).getAttribute('href')).toBe('/register')
  expect(screen.getByRole('link', { name: 'Forgot password?' }).getAttribute('href')).toBe('/recovery')
  expect(screen.getByText('Or continue with')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Sign in with GitHub' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Sign in with Google' })).toBeTruthy()
  expect(document.title).toBe(`Login · ${product.name}`)
})

test('an empty form sends nothing; a summary takes the focus and leads to each wrong field', async () => {
  const { service, email, password } = await openLogin()
  await userEvent.click(screen.getByRole('button', { name: 'Login' }))
  expect(await screen.findByText('Please enter a valid email address.')).toBeTruthy()
  expect(screen.getByText('Password must be at least 6 characters.')).toBeTruthy()
  await waitForFocus(screen.getByRole('region', { name: '2 fields to correct:' }))
  expect(email.getAttribute('aria-invalid')).toBe('true')
  const described = password.getAttribute('aria-describedby') ?? ''
  expect(document.getElementById(described)?.textContent).toBe('Password must be at least 6 characters.')
  expect(document.title).toBe(`Error: Login · ${product.name}`)
  expect(service.calls(submit)).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Password' }))
  await waitForFocus(password)
  await userEvent.type(password, 'secret words')
  expect(password.getAttribute('aria-invalid')).toBeNull()
  expect(document.title).toMatch(/^Error/)
  await userEvent.type(email, ADA)
  expect(document.title).toBe(`Login · ${product.name}`)
})

test('a single wrong field takes the focus itself', async () => {
  const { email } = await openLogin()
  await signIn('ada')
  await waitForFocus(email)
  expect(screen.queryByRole('region', { name: /to correct/ })).toBeNull()
})

test('a good sign-in posts the credentials with the token and leads to the dashboard', async () => {
  const { service, app } = await openLogin({
    [submit]: ok({ session: sessionJson(), continue_with: null }),
  })
  service.on('GET /sessions/whoami', ok(sessionJson()))
  await signIn(`  ${ADA}\u200b `)
  await screen.findByRole('heading', { name: 'Dashboard Page' })
  expect(app.address()).toBe('/dashboard')
  const [call] = service.calls(submit)
  expect(call?.body).toEqual({
    method: 'password',
    csrf_token: 'csrf-of-login-1',
    identifier: ADA,
    password: 'secret words',
  })
  expect(call?.url.searchParams.get('flow')).toBe('login-1')
  expect(call?.init.credentials).toBe('include')
})

test('a wrong password shows the message, keeps the address and empties the password', async () => {
  const { email, password } = await openLogin({ [submit]: bad(loginFlowJson({ messages: [wrong] })) })
  await signIn()
  const alert = await screen.findByText(wrong.text)
  expect(alert.closest('[role=alert]')).toBeTruthy()
  expect((email as HTMLInputElement).value).toBe(ADA)
  expect((password as HTMLInputElement).value).toBe('')
  await waitForFocus(password)
})

test('a limit shows a clock that runs, and keeps what was typed', async () => {
  const limit = { id: 4290001, text: 'Too many attempts.', type: 'error', context: { retry_after: 120 } }
  const body = loginFlowJson({ messages: [limit] })
  const { email, password } = await openLogin({ [submit]: { status: 429, body } })
  await signIn()
  await screen.findByText(/Try again in [12]:\d\d\.$/)
  expect((email as HTMLInputElement).value).toBe(ADA)
  expect((password as HTMLInputElement).value).not.toBe('')
})

test('a new error replaces the one before', async () => {
  await openLogin({
    [submit]: [bad(loginFlowJson({ messages: [wrong] })), refused(429)],
  })
  await signIn()
  await screen.findByText(wrong.text)
  await userEvent.type(screen.getByLabelText('Password'), 'other words{Enter}')
  await screen.findByText('Login failed. Please check your credentials.')
  expect(screen.queryByText(wrong.text)).toBeNull()
})

describe('responses that are not a form', () => {
  test.each([401, 403, 422, 429])('%i says that the login failed', async (status) => {
    await openLogin({ [submit]: refused(status) })
    await signIn()
    await screen.findByText('Login failed. Please check your credentials.')
  })

  test('no response: the form says so, keeps everything typed and can be sent again', async () => {
    const { service, password } = await openLogin({
      [submit]: ['no answer', bad(loginFlowJson({ messages: [wrong] }))],
    })
    await signIn()
    await screen.findByText(/reach the login service right now. Your entries stay here/)
    expect((password as HTMLInputElement).value).toBe('secret words')
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText(wrong.text)
    expect(service.calls(submit)).toHaveLength(2)
  })

  test('a page instead of JSON counts as no response', async () => {
    await openLogin({ [submit]: { status: 200, headers: { 'Content-Type': 'text/html' } } })
    await signIn()
    await screen.findByText(/reach the login service right now/)
  })

  test('an unverified address leads to its verification, with the reason', async () => {
    const details = { continue_with: [showVerification('verification-1')] }
    const { app } = await openLogin({
      [submit]: {
        status: 403,
        body: { error: { id: 'session_verified_address_required', code: 400, details } },
      },
      'GET /self-service/verification/flows': ok(sentFlowJson()),
    })
    await signIn()
    await screen.findByText(/Please verify your email address before you log in/)
    expect(app.address()).toBe('/verify?flow=verification-1')
  })
})

test('a sign-in opens one flow, and no other once it has succeeded', async () => {
  const { service } = await openLogin({
    [submit]: ok({ session: sessionJson(), continue_with: null }),
  })
  service.on('GET /sessions/whoami', ok(sessionJson()))
  await signIn()
  await screen.findByRole('heading', { name: 'Dashboard Page' })
  expect(service.calls(create)).toHaveLength(1)
})

describe('replaces an expired flow', () => {
  test('a 410 names the flow that continues: the same is submitted there', async () => {
    const { service } = await openLogin({
      [submit]: [
        refused(410, 'self_service_flow_expired', { use_flow_id: 'login-2' }),
        bad(loginFlowJson({ id: 'login-2', messages: [wrong] })),
      ],
      'GET /self-service/login/flows': ok(loginFlowJson({ id: 'login-2' })),
    })
    await signIn()
    await screen.findByText(wrong.text)
    const [, second] = service.calls(submit)
    expect(second?.url.searchParams.get('flow')).toBe('login-2')
    expect(second?.body).toMatchObject({
      csrf_token: 'csrf-of-login-2',
      identifier: ADA,
      password: 'secret words',
    })
  })

  test.each([
    ['a foreign token', refused(403, 'security_csrf_violation')],
    ['an unknown flow', refused(404)],
  ])('%s: a new flow is begun and gets the same', async (_, answer) => {
    const { service } = await openLogin({
      [create]: [ok(loginFlowJson()), ok(loginFlowJson({ id: 'login-2' }))],
      [submit]: [answer, bad(loginFlowJson({ id: 'login-2', messages: [wrong] }))],
    })
    await signIn()
    await screen.findByText(wrong.text)
    expect(service.calls(create)).toHaveLength(2)
  })

  test('a service that refuses the new flow as well is not asked again and again', async () => {
    const { service } = await openLogin({ [submit]: refused(403, 'security_csrf_violation') })
    await signIn()
    await screen.findByText('Login failed. Please check your credentials.')
    expect(service.calls(submit)).toHaveLength(2)
  })
})

test('a form without csrf_token shows the sentence of the specification', async () => {
  await openLogin({ [create]: ok(loginFlowJson({ csrf: false })) })
  await signIn()
  await screen.findByText('CSRF token could not be found in the UI nodes')
})

test('a response that is not a form counts as none', async () => {
  fakeService({ [create]: ok({ hello: 'from a proxy' }) })
  renderApp('/login')
  await screen.findByText('We can’t reach the login service right now.')
  expect(screen.getByLabelText('Email')).toBeTruthy()
})

test('a service that is down shows a sentence with a way to try again, and the form', async () => {
  const { service } = await openLogin({ [create]: ['no answer', ok(loginFlowJson())] })
  await screen.findByText('We can’t reach the login service right now.')
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(screen.queryByText('We can’t reach the login service right now.')).toBeNull())
  expect(service.calls(create)).toHaveLength(2)
})

test.each(['login', 'register', 'recovery'])(
  'a signed-in user goes from /%s to the dashboard, without a form that would be refused',
  async (page) => {
    const service = fakeService({ 'GET /sessions/whoami': ok(sessionJson()) })
    const { address } = renderApp(`/${page}`)
    await screen.findByRole('heading', { name: 'Dashboard Page' })
    expect(address()).toBe('/dashboard')
    for (const kind of ['login', 'registration', 'recovery'])
      expect(service.calls(`GET /self-service/${kind}/browser`)).toEqual([])
  },
)

test('a message of a flow that the service redirected the browser to is shown once', async () => {
  const message = text(4000001, 'It was cancelled.')
  fakeService({
    'GET /self-service/login/flows': ok(loginFlowJson({ id: 'login-9', messages: [message, message] })),
  })
  renderApp('/login?flow=login-9')
  await screen.findByText('It was cancelled.')
})

describe('providers', () => {
  test('GitHub sends the browser to the address of the 422', async () => {
    const assign = vi.fn()
    const { service } = await openLogin({
      [submit]: refused(422, 'browser_location_change_required', {
        redirect_browser_to: 'https://github.example/authorize',
      }),
    })
    vi.stubGlobal('location', { ...location, href: location.href, assign })
    await userEvent.click(screen.getByRole('button', { name: 'Sign in with GitHub' }))
    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://github.example/authorize'))
    expect(service.calls(submit)[0]?.body).toMatchObject({
      method: 'oidc',
      provider: 'github',
      csrf_token: 'csrf-of-login-1',
    })
  })

  test.each(['GitHub', 'Google'])('%s that is not set up says so kindly, and it is logged', async (name) => {
    await openLogin({ [submit]: bad(loginFlowJson({ messages: [text(4010002, 'No strategy.')] })) })
    await userEvent.click(screen.getByRole('button', { name: `Sign in with ${name}` }))
    await screen.findByText(`Sign in with ${name} is not available yet.`)
    expect(screen.queryByText('No strategy.')).toBeNull()
    expect(console.warn).toHaveBeenCalledOnce()
  })
})

test('the password can be shown, and is hidden again when the form is sent', async () => {
  const { password } = await openLogin({ [submit]: 'never' })
  await userEvent.click(screen.getByRole('button', { name: 'Show password' }))
  expect(password.getAttribute('type')).toBe('text')
  expect(screen.getByRole('button', { name: 'Hide password' })).toBeTruthy()
  await signIn()
  await waitFor(() => expect(password.getAttribute('type')).toBe('password'))
  expect(screen.getByRole('button', { name: 'Logging in…' }).getAttribute('aria-disabled')).toBe('true')
})

test('no form shows before it is known which one the address means', async () => {
  fakeService({ 'GET /self-service/login/flows': 'never' })
  renderApp('/login?flow=login-7')
  expect((await screen.findByLabelText('Email')).closest('.invisible')).not.toBeNull()
})
