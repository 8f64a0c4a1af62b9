import { fakeService } from '@ostiary/react/testing/fake-service'
import {
  ADA,
  bad,
  input,
  loginFlowJson,
  ok,
  recoveredJson,
  recoveryFlowJson,
  refused,
  sessionJson,
  settingsFlowJson,
  text,
} from '@ostiary/react/testing/flows'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import * as product from '../../../../../app.config.ts'
import { renderApp, waitForFocus } from '../../testing/render-app.tsx'

const create = 'GET /self-service/recovery/browser'
const read = 'GET /self-service/recovery/flows'
const submit = 'POST /self-service/recovery'
const readSettings = 'GET /self-service/settings/flows'
const saveSettings = 'POST /self-service/settings'
const wrong = text(4060006, 'The code is wrong.')
const expired = text(4060005, 'The code has expired.')

const sent = (given: Parameters<typeof recoveryFlowJson>[1] = {}) => ok(recoveryFlowJson('sent_email', given))
const passed = ok({
  ...recoveryFlowJson('passed_challenge'),
  continue_with: [{ action: 'show_settings_ui', flow: { id: 'settings-1' } }],
})
const settingsRoutes = {
  [readSettings]: ok(settingsFlowJson()),
}

function openRecovery(routes: Parameters<typeof fakeService>[0] = {}) {
  const service = fakeService({
    [create]: ok(recoveryFlowJson('choose_method')),
    [submit]: sent(),
    ...routes,
  })
  return { service, app: renderApp('/recovery') }
}

async function askForCode() {
  await userEvent.type(await screen.findByLabelText('Email'), `${ADA}{Enter}`)
  return (await screen.findByLabelText('Code')) as HTMLInputElement
}

async function giveCode() {
  await userEvent.type(await askForCode(), '123456')
  return (await screen.findByLabelText('New password')) as HTMLInputElement
}

test('a user who forgot the password finds the address of the login already typed', async () => {
  fakeService({
    'GET /self-service/login/browser': ok(loginFlowJson()),
    [create]: ok(recoveryFlowJson('choose_method')),
  })
  const app = renderApp('/login')
  await userEvent.type(await screen.findByLabelText('Email'), ADA)
  await userEvent.click(screen.getByRole('link', { name: 'Forgot password?' }))
  await screen.findByRole('button', { name: 'Send me a code' })
  expect(app.address()).toBe('/recovery')
  expect((screen.getByLabelText('Email') as HTMLInputElement).value).toBe(ADA)
  await userEvent.click(within(screen.getByRole('main')).getByRole('link', { name: 'Login' }))
  await screen.findByRole('button', { name: 'Login' })
  expect((screen.getByLabelText('Email') as HTMLInputElement).value).toBe(ADA)
})

const tooMany = {
  id: 4290001,
  text: 'Too many attempts. Please try again in 5 minutes.',
  type: 'error',
  context: { retry_after: 300 },
}

test('a limit on emails leaves the form for the code, and what was typed into it', async () => {
  const limited = { status: 429, body: recoveryFlowJson('sent_email', { messages: [tooMany] }) }
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  openRecovery({ [submit]: [sent(), limited, passed], ...settingsRoutes })
  const code = await askForCode()
  await userEvent.type(code, '123')
  vi.setSystemTime(Date.now() + 60_000)
  await userEvent.click(await screen.findByRole('button', { name: 'Send a new code' }))
  await screen.findByText(/You can still use the newest one/)
  expect(screen.queryByText(/New code requested/)).toBeNull()
  expect(screen.queryByText(/Try again in|New code in/)).toBeNull()
  expect(screen.getByRole('button', { name: 'You can request another code in 5 minutes' })).toBeTruthy()
  expect(code.value).toBe('123')
  expect(code.getAttribute('aria-invalid')).not.toBe('true')
  vi.useRealTimers()
  await userEvent.type(code, '456')
  await screen.findByLabelText('New password')
})

test('a limit on codes that are entered says nothing about emails', async () => {
  const limited = { status: 429, body: recoveryFlowJson('sent_email', { messages: [tooMany] }) }
  openRecovery({ [submit]: [sent(), limited] })
  await userEvent.type(await askForCode(), '123456')
  await screen.findByText(/Try again in/)
  expect(screen.queryByText(/We can’t send another code/)).toBeNull()
})

test('a new form that may send no email leads to the earlier one, which waits for the emailed code', async () => {
  localStorage.setItem('waiting-recovery', 'recovery-0')
  const limited = { status: 429, body: recoveryFlowJson('choose_method', { messages: [tooMany] }) }
  const earlier = ok(recoveryFlowJson('sent_email', { id: 'recovery-0' }))
  const { service, app } = openRecovery({ [read]: earlier, [submit]: [limited, passed], ...settingsRoutes })
  const code = await askForCode()
  expect(app.address()).toBe('/recovery?flow=recovery-0')
  await screen.findByText(/You can still use the newest one/)
  await userEvent.type(code, '123456')
  await screen.findByLabelText('New password')
  expect(service.calls(submit)[1]?.body).toMatchObject({ code: '123456', csrf_token: 'csrf-of-recovery-0' })
})

test('a form of another address is not shown instead', async () => {
  localStorage.setItem('waiting-recovery', 'recovery-0')
  const limited = { status: 429, body: recoveryFlowJson('choose_method', { messages: [tooMany] }) }
  openRecovery({ [read]: ok(recoveryFlowJson('sent_email', { id: 'recovery-0' })), [submit]: limited })
  await userEvent.type(await screen.findByLabelText('Email'), 'ben@example.com{Enter}')
  await screen.findByText(/Try again in/)
  expect(screen.queryByLabelText('Code')).toBeNull()
})

test('the address gets a code, and the page keeps its place for a reload', async () => {
  const { service, app } = openRecovery()
  await askForCode()
  expect(service.calls(submit)[0]?.body).toEqual({
    method: 'code',
    email: ADA,
    csrf_token: 'csrf-of-recovery-1',
  })
  expect(screen.getByText(ADA)).toBeTruthy()
  await waitFor(() => expect(app.address()).toBe('/recovery?flow=recovery-1'))
  expect(service.calls(create)).toHaveLength(1)
  expect(service.calls(read)).toEqual([])
})

test('the code leads to a new password on the same screen, and that to the dashboard', async () => {
  const { service, app } = openRecovery({
    [submit]: [sent(), passed],
    [saveSettings]: ok(settingsFlowJson({ state: 'success' })),
    ...settingsRoutes,
  })
  const field = await askForCode()
  service.on('GET /sessions/whoami', ok(recoveredJson()))
  service.on('GET /api/v1/account/session', [ok({ recovering: true }), ok({ recovering: false })])
  await userEvent.type(field, '123456')
  await userEvent.type(await screen.findByLabelText('New password'), 'other quiet words{Enter}')
  await screen.findByText(/Welcome back. Your new password is set/)
  expect(app.address()).toBe('/dashboard')
  expect(service.calls(saveSettings)[0]?.body).toEqual({
    method: 'password',
    password: 'other quiet words',
    csrf_token: 'csrf-of-settings-1',
  })
  expect(service.calls(saveSettings)[0]?.url.searchParams.get('flow')).toBe('settings-1')
})

test('the new password names its account to password managers', async () => {
  openRecovery({ [submit]: [sent(), passed], ...settingsRoutes })
  const field = await giveCode()
  expect(field.autocomplete).toBe('new-password')
  await waitForFocus(screen.getByRole('heading', { name: 'Choose a new password' }))
  await waitFor(() =>
    expect(document.querySelector<HTMLInputElement>('input[autocomplete=username]')?.value).toBe(ADA),
  )
})

test('keeps a refused password next to the reason', async () => {
  const known = text(4000030, 'That one is known to many.')
  openRecovery({
    [submit]: [sent(), passed],
    [saveSettings]: bad(settingsFlowJson({ fields: { password: [known] } })),
    ...settingsRoutes,
  })
  const field = await giveCode()
  await userEvent.type(field, 'password1{Enter}')
  await screen.findByText(known.text)
  expect(document.title).toBe(`Error: Choose a new password · ${product.name}`)
  expect(field.value).toBe('password1')
})

test('explains what to do when the new password takes too long', async () => {
  openRecovery({
    [submit]: [sent(), passed],
    [saveSettings]: refused(403, 'session_refresh_required', { redirect_browser_to: '/login' }),
    ...settingsRoutes,
  })
  await userEvent.type(await giveCode(), 'other quiet words{Enter}')
  await screen.findByText(/That took a while/)
})

test('a new password without a session begins again', async () => {
  fakeService({
    [readSettings]: refused(401),
    [create]: ok(recoveryFlowJson('choose_method')),
  })
  const app = renderApp('/recovery?step=password&flow=settings-1')
  await screen.findByRole('button', { name: 'Send me a code' })
  expect(app.address()).toBe('/recovery')
})

describe('what goes wrong', () => {
  test('a wrong code says so and keeps the digits', async () => {
    openRecovery({ [submit]: [sent(), sent({ messages: [wrong] })] })
    const field = await askForCode()
    await userEvent.type(field, '111111')
    await screen.findByText(wrong.text)
    expect(field.value).toBe('111111')
    expect(document.title).toBe(`Error: Reset your password · ${product.name}`)
  })

  test('a flow whose time is over sends a new code at once', async () => {
    const { service, app } = openRecovery({
      [submit]: [
        sent(),
        ok(recoveryFlowJson('choose_method', { id: 'recovery-2', messages: [expired] })),
        sent({ id: 'recovery-2' }),
      ],
    })
    await userEvent.type(await askForCode(), '123456')
    await screen.findByText('That code has expired. We’ve requested a new one for you.')
    expect(service.calls(submit)[2]?.body).toMatchObject({ email: ADA, csrf_token: 'csrf-of-recovery-2' })
    await waitFor(() => expect(app.address()).toBe('/recovery?flow=recovery-2'))
  })

  test('too many attempts say why and keep the address for another code', async () => {
    const often = text(4000001, 'The code was tried too often.')
    const details = { continue_with: [{ action: 'show_recovery_ui', flow: { id: 'recovery-2' } }] }
    openRecovery({
      [submit]: [sent(), { status: 400, body: { error: { code: 400, details } } }],
      [read]: ok(recoveryFlowJson('choose_method', { id: 'recovery-2', messages: [often] })),
    })
    await userEvent.type(await askForCode(), '123456')
    await screen.findByText(often.text)
    expect(((await screen.findByLabelText('Email')) as HTMLInputElement).value).toBe(ADA)
  })

  test('no response: the form says so, keeps the address and can be sent again', async () => {
    openRecovery({ [submit]: ['no answer', sent()] })
    await userEvent.type(await screen.findByLabelText('Email'), `${ADA}{Enter}`)
    await screen.findByText(/Your entries stay here/)
    expect((screen.getByLabelText('Email') as HTMLInputElement).value).toBe(ADA)
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByLabelText('Code')
  })

  test('a mistyped address can be changed: it is in the form again', async () => {
    const { service, app } = openRecovery()
    await askForCode()
    await userEvent.click(screen.getByRole('link', { name: 'Change it' }))
    await screen.findByRole('button', { name: 'Send me a code' })
    expect((screen.getByLabelText('Email') as HTMLInputElement).value).toBe(ADA)
    expect(app.address()).toBe('/recovery')
    expect(service.calls(create).length).toBeGreaterThanOrEqual(2)
  })
})

test('a user who has just signed in elsewhere goes to the dashboard', async () => {
  const { app } = openRecovery({
    [create]: refused(400, 'session_already_available'),
    'GET /sessions/whoami': [refused(401, 'session_inactive'), ok(sessionJson())],
    ...settingsRoutes,
  })
  await screen.findByRole('heading', { name: 'Dashboard Page' })
  expect(app.address()).toBe('/dashboard')
})

const messages = [{ ...text(1010004, 'One more step', 'info'), context: { identifier: ADA } }]
const secondFactor = loginFlowJson({ choices: [input('totp_code', 'text')], messages })
const secondStep = { ...secondFactor, requested_aal: 'aal2' }

test('a second factor before the new password says whose it is and what follows', async () => {
  fakeService({
    'GET /sessions/whoami': refused(403, 'session_aal2_required'),
    'GET /self-service/settings/browser': refused(403, 'session_aal2_required'),
    'GET /self-service/login/browser': ok(secondStep),
  })
  renderApp('/recovery?step=password')
  await screen.findByText('One more step before you choose a new password.')
  expect((await screen.findByText(ADA)).parentElement?.textContent).toBe(`Logging in as ${ADA}`)
})

test('a user whose second factor is missing is asked for it instead', async () => {
  fakeService({
    [create]: refused(400, 'session_already_available'),
    'GET /sessions/whoami': refused(403, 'session_aal2_required'),
    'GET /self-service/login/browser': ok(secondStep),
  })
  renderApp('/recovery')
  await screen.findByRole('heading', { name: 'Two-step login' })
})
