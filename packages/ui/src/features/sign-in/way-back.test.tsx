import { fakeService } from '@ostiary/react/testing/fake-service'
import {
  ADA,
  bad,
  input,
  loginFlowJson,
  ok,
  passedFlowJson,
  recoveredJson,
  recoveryFlowJson,
  refused,
  registrationFlowJson,
  sentFlowJson,
  sessionJson,
  settingsFlowJson,
  showVerification,
  text,
} from '@ostiary/react/testing/flows'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, onTestFinished, test, vi } from 'vitest'
import { product, setProduct } from '../../product.ts'
import { renderApp } from '../../testing/render-app.tsx'

// A user who wants the settings takes another form than the login.

const openLogin = 'GET /self-service/login/browser'
const openRegistration = 'GET /self-service/registration/browser'
const register = 'POST /self-service/registration'
const openSettings = 'GET /self-service/settings/browser'
const onTheWay = { after: '/settings' }
const away = 'https://github.example/authorize'
const asked = 'Log in to continue.'
const identity = { id: 'identity-1', schema_id: 'default', schema_url: 'x', traits: { email: ADA } }

test('a user who signs up verifies the address, signs in and arrives there', async () => {
  const service = fakeService({
    [openLogin]: ok(loginFlowJson()),
    [openRegistration]: ok(registrationFlowJson()),
    [register]: ok({ identity, continue_with: [showVerification('verification-1')] }),
    'GET /self-service/verification/flows': ok(sentFlowJson()),
    'POST /self-service/verification': ok(passedFlowJson()),
    'POST /self-service/login': ok({ session: sessionJson(), continue_with: null }),
    [openSettings]: ok(settingsFlowJson()),
    'GET /sessions': ok([]),
  })
  const address = '/settings?tab=2#email'
  const app = renderApp(address)
  await userEvent.click(await screen.findByRole('link', { name: 'Sign up' }))
  await screen.findByRole('button', { name: 'Sign up' })
  await userEvent.type(screen.getByLabelText('Email'), ADA)
  await userEvent.type(screen.getByLabelText('Password'), 'secret words{Enter}')
  await userEvent.type(await screen.findByLabelText('Code'), '123456')
  await userEvent.click(await screen.findByRole('link', { name: 'Go to Login' }))
  expect(await screen.findByText(asked)).toBeTruthy()
  expect((screen.getByLabelText('Email') as HTMLInputElement).value).toBe(ADA)
  service.on('GET /sessions/whoami', ok(sessionJson()))
  await userEvent.type(screen.getByLabelText('Password'), 'secret words{Enter}')
  await screen.findByRole('heading', { name: 'Profile' })
  expect(app.address()).toBe(address)
})

test('a user who forgot the password arrives there with a new one', async () => {
  const passed = {
    ...recoveryFlowJson('passed_challenge'),
    continue_with: [{ action: 'show_settings_ui', flow: { id: 'settings-1' } }],
  }
  const service = fakeService({
    [openLogin]: ok(loginFlowJson()),
    'GET /self-service/recovery/browser': ok(recoveryFlowJson('choose_method')),
    'POST /self-service/recovery': [ok(recoveryFlowJson('sent_email')), ok(passed)],
    'GET /self-service/settings/flows': ok(settingsFlowJson()),
    'POST /self-service/settings': ok(settingsFlowJson({ state: 'success' })),
    [openSettings]: ok(settingsFlowJson()),
    'GET /sessions': ok([]),
  })
  const app = renderApp('/login', onTheWay)
  await userEvent.click(await screen.findByRole('link', { name: 'Forgot password?' }))
  await screen.findByRole('button', { name: 'Send me a code' })
  await userEvent.type(screen.getByLabelText('Email'), `${ADA}{Enter}`)
  const code = await screen.findByLabelText('Code')
  service.on('GET /sessions/whoami', ok(recoveredJson()))
  service.on('GET /api/v1/account/session', [ok({ recovering: true }), ok({ recovering: false })])
  await userEvent.type(code, '123456')
  await userEvent.type(await screen.findByLabelText('New password'), 'other quiet words{Enter}')
  await screen.findByRole('heading', { name: 'Profile' })
  expect(screen.getByText(/Welcome back. Your new password is set/)).toBeTruthy()
  expect(app.address()).toBe('/settings')
  await waitFor(() => expect(service.calls(openSettings)).toHaveLength(1))
})

test('a user whom an OAuth 2.0 server sent takes its request through every form', async () => {
  const oauth2_login_challenge = 'challenge-1'
  const challenges = (route: string) =>
    service.calls(route).map(({ url }) => url.searchParams.get('login_challenge'))
  const flow = { ...loginFlowJson(), oauth2_login_challenge }
  const next = `/.ory/self-service/login/browser?aal=aal2&login_challenge=challenge-1`
  const second = loginFlowJson({ choices: [input('totp_code', 'text')] })
  const leave = (to: string) => refused(422, 'browser_location_change_required', { redirect_browser_to: to })
  const service = fakeService({
    'GET /self-service/login/flows': ok(flow),
    [openLogin]: [ok(flow), ok({ ...second, requested_aal: 'aal2', oauth2_login_challenge })],
    [openRegistration]: ok(registrationFlowJson()),
    [register]: ok({ identity, continue_with: [showVerification('verification-1')] }),
    'GET /self-service/verification/flows': ok(sentFlowJson()),
    'POST /self-service/verification': ok(passedFlowJson()),
    'POST /self-service/login': [leave(next), leave(away)],
  })
  const assign = vi.fn()
  vi.stubGlobal('location', { ...location, href: location.href, assign })
  const app = renderApp('/login?flow=login-1')
  // A click before is too fast for a user.
  await waitFor(() => expect(app.state()).toMatchObject({ login_challenge: oauth2_login_challenge }))
  await userEvent.click(screen.getByRole('link', { name: 'Sign up' }))
  await screen.findByRole('button', { name: 'Sign up' })
  await userEvent.type(screen.getByLabelText('Email'), ADA)
  await userEvent.type(screen.getByLabelText('Password'), 'secret words{Enter}')
  await userEvent.type(await screen.findByLabelText('Code'), '123456')
  await userEvent.click(await screen.findByRole('link', { name: 'Go to Login' }))
  await userEvent.type(await screen.findByLabelText('Password'), 'secret words{Enter}')
  await screen.findByRole('heading', { name: 'Two-step login' })
  expect(screen.getByText('Logging in as').parentElement?.textContent).toBe(`Logging in as ${ADA}`)
  await userEvent.type(screen.getByLabelText('Code'), '123456')
  await waitFor(() => expect(assign).toHaveBeenCalledWith(away))
  expect(challenges(openRegistration)).toEqual(['challenge-1'])
  expect(challenges(openLogin)).toEqual(['challenge-1', 'challenge-1'])
})

test('a user who verifies too late for an OAuth 2.0 request starts it again', async () => {
  const ended = 'Your sign-in to the other app took too long. Continue to start it again.'
  const attributes = { node_type: 'a', id: 'continue', href: away, title: text(1070009, 'Continue') }
  const link = { type: 'a', group: 'code', attributes, messages: [], meta: {} }
  const passed = passedFlowJson({ messages: [text(1080901, ended)] }) as { ui: object }
  fakeService({
    'GET /self-service/verification/flows': ok({ ...passed, ui: { ...passed.ui, nodes: [link] } }),
  })
  renderApp('/verify?flow=verification-1')
  await screen.findByText(ended)
  expect(screen.getByRole('link', { name: 'Continue' }).getAttribute('href')).toBe(away)
})

test('a user who recovers the account on the way returns to the OAuth 2.0 server', async () => {
  fakeService({
    'GET /self-service/settings/flows': ok(settingsFlowJson()),
    [openSettings]: ok(settingsFlowJson()),
    'POST /self-service/settings': ok(settingsFlowJson({ state: 'success' })),
    'GET /sessions/whoami': ok(sessionJson()),
  })
  const assign = vi.fn()
  vi.stubGlobal('location', { ...location, href: location.href, assign })
  renderApp('/recovery?step=password&flow=settings-1', { login_challenge: 'challenge-1' })
  await userEvent.type(await screen.findByLabelText('New password'), 'other quiet words{Enter}')
  const url = '/.ory/self-service/login/browser?login_challenge=challenge-1'
  await waitFor(() => expect(assign).toHaveBeenCalledWith(url))
})

test('SEC-93 the name of an app cannot pass as our text', async () => {
  const client_name = `\u202eevil\u202c”.\nYour password has expired. Enter it at evil.example ${'x'.repeat(9_000)}`
  const flow = { ...loginFlowJson({ id: 'login-7' }), refresh: true, oauth2_login_challenge: 'challenge-1' }
  fakeService({
    'GET /sessions/whoami': ok(sessionJson()),
    'GET /self-service/login/flows': ok({ ...flow, oauth2_login_request: { client: { client_name } } }),
  })
  renderApp('/login?flow=login-7')
  const sentence = await screen.findByText(/You’ll then continue to/)
  expect(sentence.textContent).toMatch(
    /continue to “\u2068evil \. Your password has expired\. Enter it at evil\.example\u2069”\.$/,
  )
})

test('a user who changes between the forms is still asked to sign in for it', async () => {
  fakeService({
    [openLogin]: ok(loginFlowJson()),
    [openRegistration]: ok(registrationFlowJson()),
    'GET /self-service/recovery/browser': ok(recoveryFlowJson('choose_method')),
  })
  renderApp('/login', onTheWay)
  for (const name of ['Sign up', 'Forgot password?']) {
    await userEvent.click(await screen.findByRole('link', { name }))
    await userEvent.click(await within(screen.getByRole('main')).findByRole('link', { name: 'Login' }))
    expect(await screen.findByText(asked)).toBeTruthy()
  }
})

test('a user who signs up with a provider is redirected back there', async () => {
  const service = fakeService({
    [openRegistration]: ok(registrationFlowJson()),
    [register]: refused(422, 'browser_location_change_required', { redirect_browser_to: away }),
  })
  const assign = vi.fn()
  vi.stubGlobal('location', { ...location, href: location.href, assign })
  renderApp('/register', onTheWay)
  await userEvent.click(await screen.findByRole('button', { name: 'Sign up with GitHub' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith(away))
  const returnTo = service.calls(openRegistration).at(-1)?.url.searchParams.get('return_to')
  expect(returnTo).toBe(new URL('/settings', location.href).href)
})

test('a login that is opened again does not show the error of an earlier attempt', async () => {
  const wrong = text(4000006, 'Those credentials are wrong.')
  const service = fakeService({
    [openLogin]: ok(loginFlowJson()),
    'POST /self-service/login': bad(loginFlowJson({ messages: [wrong] })),
  })
  renderApp('/login')
  await userEvent.type(await screen.findByLabelText('Email'), ADA)
  await userEvent.type(screen.getByLabelText('Password'), 'secret words{Enter}')
  await screen.findByText(wrong.text)
  const bar = within(screen.getByRole('navigation', { name: 'Main' }))
  await userEvent.click(bar.getByRole('link', { name: 'About' }))
  await waitFor(() => expect(screen.queryByLabelText('Email')).toBeNull())
  await userEvent.click(within(screen.getByRole('banner')).getByRole('link', { name: 'Login' }))
  await screen.findByLabelText('Email')
  await waitFor(() => expect(service.calls(openLogin)).toHaveLength(2))
  expect(screen.queryByText(wrong.text)).toBeNull()
})

test('an ordinary session does not see the last step of a recovery', async () => {
  fakeService({
    'GET /sessions/whoami': ok(sessionJson()),
    'GET /self-service/settings/browser': ok(settingsFlowJson()),
  })
  const app = renderApp('/recovery?step=password')
  await screen.findByRole('heading', { name: 'Dashboard Page' })
  expect(app.address()).toBe('/dashboard')
})

test('a product names the page after a login', async () => {
  const usual = product()
  onTestFinished(() => setProduct(usual))
  setProduct({ ...usual, afterLogin: '/about' })
  fakeService({ 'GET /sessions/whoami': ok(sessionJson()) })
  const app = renderApp('/login')
  await screen.findByRole('heading', { name: 'About Us' })
  expect(app.address()).toBe('/about')
})
