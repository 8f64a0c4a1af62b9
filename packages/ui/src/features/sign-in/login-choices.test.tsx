import { fakeService } from '@ostiary/react/testing/fake-service'
import {
  ADA,
  bad,
  codeChoice,
  input,
  loginCodeFlowJson,
  loginFlowJson,
  ok,
  refused,
  sessionJson,
  stayChoice,
  text,
} from '@ostiary/react/testing/flows'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import { renderApp, waitForFocus } from '../../testing/render-app.tsx'

const create = 'GET /self-service/login/browser'
const read = 'GET /self-service/login/flows'
const submit = 'POST /self-service/login'

async function openLogin(choices = [stayChoice, codeChoice], routes: Parameters<typeof fakeService>[0] = {}) {
  const service = fakeService({ [create]: ok(loginFlowJson({ choices })), ...routes })
  const app = renderApp('/login')
  await screen.findByLabelText('Email')
  return { service, app }
}

async function askForCode() {
  await userEvent.type(screen.getByLabelText('Email'), ADA)
  await userEvent.click(await screen.findByRole('button', { name: 'Email me a code' }))
}

describe('staying signed in', () => {
  test.each([
    [false, 'off unless the user checks it'],
    [true, 'on when it is checked'],
  ])('the choice is %s: %s', async (isChecked) => {
    const { service } = await openLogin(undefined, { [submit]: ok({ session: sessionJson() }) })
    service.on('GET /sessions/whoami', ok(sessionJson()))
    if (isChecked) await userEvent.click(screen.getByRole('checkbox', { name: 'Stay logged in for 30 days' }))
    await userEvent.type(screen.getByLabelText('Email'), ADA)
    await userEvent.type(screen.getByLabelText('Password'), 'secret words{Enter}')
    await screen.findByRole('heading', { name: 'Dashboard Page' })
    expect(service.calls(submit)[0]?.body.stay_signed_in).toBe(isChecked)
  })

  test('a service that knows no such choice shows none and is sent none', async () => {
    const { service } = await openLogin([], { [submit]: bad(loginFlowJson()) })
    await waitFor(() => expect(screen.queryByRole('checkbox')).toBeNull())
    await userEvent.type(screen.getByLabelText('Email'), ADA)
    await userEvent.type(screen.getByLabelText('Password'), 'secret words{Enter}')
    await waitFor(() => expect(service.calls(submit)[0]?.body).not.toHaveProperty('stay_signed_in'))
  })
})

test('a suggested passkey that is refused says why, after an earlier error', async () => {
  const chosen = Promise.withResolvers<object>()
  const conditional = { isConditionalMediationAvailable: async () => true }
  vi.stubGlobal('PublicKeyCredential', Object.assign(class {}, conditional))
  vi.stubGlobal('navigator', { ...navigator, onLine: true, credentials: { get: () => chosen.promise } })
  const question = JSON.stringify({ publicKey: { challenge: 'AAAA' } })
  const choices = [{ ...input('passkey_challenge', 'hidden', question), group: 'passkey' }]
  const refusal = (id: number, words: string) => bad(loginFlowJson({ choices, messages: [text(id, words)] }))
  const answers = [refusal(4000006, 'Wrong.'), refusal(4000015, 'Unknown passkey.')]
  await openLogin(choices as never, { [submit]: answers })
  await userEvent.type(screen.getByLabelText('Email'), ADA)
  await userEvent.type(screen.getByLabelText('Password'), 'secret words{Enter}')
  await screen.findByText('Wrong.')
  const bytes = new ArrayBuffer(1)
  const response = { authenticatorData: bytes, clientDataJSON: bytes, signature: bytes }
  chosen.resolve({ id: 'gone', rawId: bytes, response, getClientExtensionResults: () => ({}) })
  await screen.findByText('Unknown passkey.')
  expect(screen.queryByText('Wrong.')).toBeNull()
})

describe('in a browser without passkeys', () => {
  test('says what to do instead', async () => {
    await openLogin([input('passkey_challenge', 'hidden', '{}')])
    await screen.findByText(/Log in another way, or reset your password\.$/)
    expect(screen.queryByRole('button', { name: 'Sign in with a passkey' })).toBeNull()
  })

  test('says nothing about passkeys where the service has none', async () => {
    await openLogin()
    await waitFor(() => expect(screen.queryByText(/passkey/)).toBeNull())
  })
})

describe('signing in with a code', () => {
  test('is not offered where the service does not send codes', async () => {
    await openLogin([stayChoice])
    expect(screen.queryByRole('button', { name: 'Email me a code' })).toBeNull()
  })

  test('needs an address, and says so at its field', async () => {
    const { service } = await openLogin()
    await userEvent.click(await screen.findByRole('button', { name: 'Email me a code' }))
    expect(await screen.findByText('Please enter a valid email address.')).toBeTruthy()
    await waitForFocus(screen.getByLabelText('Email'))
    await userEvent.type(screen.getByLabelText('Email'), ADA)
    expect(screen.queryByText('Please enter a valid email address.')).toBeNull()
    expect(service.calls(submit)).toEqual([])
  })

  test('asks for a code, takes it and leads to the dashboard', async () => {
    const { service, app } = await openLogin(undefined, { [submit]: bad(loginCodeFlowJson()) })
    await userEvent.click(screen.getByRole('checkbox'))
    await askForCode()
    await screen.findByRole('heading', { name: 'Check your email' })
    await waitFor(() => expect(app.address()).toBe('/login?flow=login-1'))
    await waitForFocus(screen.getByLabelText('Code'))
    expect(service.calls(submit)[0]?.body).toEqual({
      method: 'code',
      identifier: ADA,
      csrf_token: 'csrf-of-login-1',
      stay_signed_in: true,
    })
    service.on(submit, ok({ session: sessionJson() }))
    service.on('GET /sessions/whoami', ok(sessionJson()))
    await userEvent.type(screen.getByLabelText('Code'), '123456')
    await screen.findByRole('heading', { name: 'Dashboard Page' })
    expect(service.calls(submit)[1]?.body).toEqual({
      method: 'code',
      code: '123456',
      identifier: ADA,
      csrf_token: 'csrf-of-login-1',
    })
  })

  test('reports a wrong code, and replaces an expired one', async () => {
    const wrong = bad(loginCodeFlowJson({ messages: [text(4010008, 'The code is wrong.')] }))
    const { service } = await openLogin(undefined, { [submit]: bad(loginCodeFlowJson()) })
    await askForCode()
    await screen.findByRole('heading', { name: 'Check your email' })
    service.on(submit, wrong)
    await userEvent.type(screen.getByLabelText('Code'), '111111')
    expect(await screen.findByText('The code is wrong.')).toBeTruthy()
    await waitForFocus(screen.getByLabelText('Code'))
    service.on(submit, [
      refused(410, 'self_service_flow_expired', { use_flow_id: 'login-2' }),
      bad(loginCodeFlowJson({ id: 'login-2' })),
    ])
    service.on(
      read,
      ok(loginFlowJson({ id: 'login-2', choices: [codeChoice], messages: [text(4010001, 'Expired.')] })),
    )
    await userEvent.clear(screen.getByLabelText('Code'))
    await userEvent.type(screen.getByLabelText('Code'), '222222')
    expect(await screen.findByText(/That code has expired/)).toBeTruthy()
    expect(service.calls(submit).at(-1)?.url.searchParams.get('flow')).toBe('login-2')
  })

  test('the way back keeps the address', async () => {
    await openLogin(undefined, { [submit]: bad(loginCodeFlowJson()) })
    await askForCode()
    await userEvent.click(await screen.findByRole('link', { name: 'Change it or log in another way' }))
    expect(await screen.findByLabelText('Email')).toHaveProperty('value', ADA)
  })
})

describe('an emailed link', () => {
  const wanted = '/login?flow=login-1#code=123456'
  const sent = ok(loginCodeFlowJson())

  test('fills in the code, leaves the URL, and logs in with one press', async () => {
    const service = fakeService({ [read]: sent, [submit]: ok({ session: sessionJson() }) })
    const app = renderApp(wanted)
    expect(await screen.findByLabelText('Code')).toHaveProperty('value', '123456')
    expect(screen.getByText(ADA)).toBeTruthy()
    expect(app.address()).toBe('/login?flow=login-1')
    expect(service.calls(submit)).toEqual([])
    service.on('GET /sessions/whoami', ok(sessionJson()))
    await userEvent.click(screen.getByRole('button', { name: 'Login' }))
    await screen.findByRole('heading', { name: 'Dashboard Page' })
    expect(service.calls(submit)[0]?.body).toMatchObject({ method: 'code', code: '123456', identifier: ADA })
  })

  test.each([
    ['another browser', refused(403, 'security_csrf_violation')],
    ['too late', refused(410, 'self_service_flow_expired')],
  ])('explains itself when opened in %s, and the form still works', async (_, answer) => {
    const service = fakeService({ [read]: answer, [create]: ok(loginFlowJson({ id: 'login-2' })) })
    const app = renderApp(wanted)
    expect(await screen.findByText(/only in the browser where you asked for it/)).toBeTruthy()
    await waitFor(() => expect(app.address()).toBe('/login?flow=login-2'))
    expect(screen.getByLabelText('Email')).toBeTruthy()
    expect(service.calls(submit)).toEqual([])
  })

  test('does not fill in the code of another form', async () => {
    const replaced = refused(410, 'self_service_flow_expired', { use_flow_id: 'login-2' })
    const service = fakeService({ [read]: sent, [submit]: replaced })
    renderApp(wanted)
    await screen.findByLabelText('Code')
    service.on(read, ok(loginFlowJson({ id: 'login-2', messages: [text(4010001, 'Expired.')] })))
    service.on(submit, [replaced, bad(loginCodeFlowJson({ id: 'login-2' }))])
    await userEvent.click(screen.getByRole('button', { name: 'Login' }))
    expect(await screen.findByText(/That code has expired/)).toBeTruthy()
    await waitFor(() => expect(screen.getByLabelText('Code')).toHaveProperty('value', ''))
  })
})

test('a visitor whose second step is unknown begins with the first', async () => {
  fakeService({
    'GET /self-service/login/flows': refused(404),
    'GET /self-service/login/browser': ok(loginFlowJson()),
  })
  renderApp('/login?flow=unknown&aal=aal2')
  expect(await screen.findByLabelText('Password')).toBeTruthy()
  expect(screen.queryByRole('heading', { name: 'Two-step login' })).toBeNull()
})
