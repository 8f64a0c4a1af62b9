import { fakeService } from '@ostiary/react/testing/fake-service'
import {
  ADA,
  bad,
  loginFlowJson,
  ok,
  refused,
  sessionJson,
  settingsFlowJson,
  text,
} from '@ostiary/react/testing/flows'
import { takeErrors } from '@ostiary/react/testing/setup'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import * as product from '../../../../../app.config.ts'
import { renderApp } from '../../testing/render-app.tsx'

const create = 'GET /self-service/settings/browser'
const submit = 'POST /self-service/settings'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const sessionOn = (id: string, user_agent: string) =>
  sessionJson({
    id,
    authenticated_at: '2026-01-02T03:04:05Z',
    devices: [{ id: `device-of-${id}`, user_agent, ip_address: '192.0.2.7' }],
  })

const TOO_MANY = { reason: 'Too many attempts. Try again in 2 minutes.', details: { retry_after: 120 } }

type Routes = Parameters<typeof fakeService>[0]

function openPage(address: string, routes: Routes = {}) {
  const service = fakeService({
    'GET /sessions/whoami': ok(sessionOn('session-1', firefox)),
    [create]: ok(settingsFlowJson()),
    'GET /api/v1/account/credentials': refused(404),
    ...routes,
  })
  return { service, app: renderApp(address) }
}

async function openProfile(routes: Routes = {}) {
  const page = openPage('/settings', routes)
  await userEvent.click(await screen.findByRole('button', { name: /Name$/ }))
  const name = (await screen.findByRole('textbox', { name: 'Name' })) as HTMLInputElement
  return { ...page, name }
}

async function openPassword(routes: Routes = {}) {
  const page = openPage('/settings/security', routes)
  await userEvent.click(await screen.findByRole('button', { name: 'Change password' }))
  const password = (await screen.findByLabelText('New password')) as HTMLInputElement
  return { ...page, password }
}

test('a user who logs out here is on the home page, not asked to sign in', async () => {
  const { app } = await openProfile({
    'GET /self-service/logout/browser': ok({ logout_token: 'token', logout_url: 'http://localhost/' }),
    'GET /self-service/logout': ok({}),
  })
  await userEvent.click(screen.getByRole('button', { name: 'Logout' }))
  await screen.findAllByRole('link', { name: 'Login' })
  await waitFor(() => expect(app.address()).toBe('/'))
})

test('a user who logged out here does not read that a session has ended', async () => {
  const { service, app } = openPage('/settings', {
    'GET /self-service/logout/browser': ok({ logout_token: 'token', logout_url: 'http://localhost/' }),
    'GET /self-service/logout': ok({}),
    'GET /self-service/login/browser': ok(loginFlowJson()),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Logout' }))
  await waitFor(() => expect(app.address()).toBe('/'))
  service.on('GET /sessions/whoami', refused(401))
  app.unmount()
  renderApp('/login', { after: '/settings' })
  await screen.findByText('Log in to continue.')
  expect(screen.queryByText('Your session has ended.')).toBeNull()
})

test('a user who logs out and opens the login at once stays there', async () => {
  const { app } = openPage('/settings', {
    'GET /self-service/logout/browser': ok({ logout_token: 'token', logout_url: 'http://localhost/' }),
    'GET /self-service/logout': ok({}),
    'GET /self-service/login/browser': ok(loginFlowJson()),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Logout' }))
  fireEvent.click(await within(screen.getByRole('banner')).findByRole('link', { name: 'Login' }))
  expect(await screen.findByLabelText('Password')).toBeTruthy()
  expect(app.address()).toBe('/login')
})

test('a logout without a connection says that the user is still logged in', async () => {
  const { app } = await openProfile({ 'GET /self-service/logout/browser': 'no answer' })
  await userEvent.click(screen.getByRole('button', { name: 'Logout' }))
  await screen.findByText('You’re still logged in. Check your connection.')
  expect(app.address()).toBe('/settings')
  expect(takeErrors()).toHaveLength(1)
})

test('a visitor logs in first and then returns here', async () => {
  const service = fakeService({
    'GET /self-service/login/browser': ok(loginFlowJson()),
    'POST /self-service/login': ok({ session: sessionJson(), continue_with: null }),
    [create]: ok(settingsFlowJson()),
  })
  const app = renderApp('/settings')
  await userEvent.type(await screen.findByLabelText('Email'), ADA)
  expect(screen.getByText('Log in to continue.')).toBeTruthy()
  service.on('GET /sessions/whoami', ok(sessionJson()))
  await userEvent.type(screen.getByLabelText('Password'), 'secret words{Enter}')
  await screen.findByRole('heading', { name: 'Profile' })
  expect(app.address()).toBe('/settings')
})

test('FLT-27: a user whose login cannot be checked stays here, and can try again', async () => {
  const { service, app } = openPage('/settings', { 'GET /sessions/whoami': refused(503) })
  await screen.findByText('We can’t check your login right now. You’re still logged in.')
  expect(app.address()).toBe('/settings')
  expect(screen.getByRole('link', { name: 'Security' })).toBeTruthy()
  service.on('GET /sessions/whoami', ok(sessionJson()))
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByRole('region', { name: 'Email' })
  takeErrors()
})

test('a session that was ended elsewhere leads to the sign-in and back, with what was typed', async () => {
  const { service, name } = await openProfile({
    [submit]: refused(401, 'session_inactive'),
    'GET /self-service/login/browser': ok(loginFlowJson()),
    'POST /self-service/login': ok({ session: sessionJson(), continue_with: null }),
  })
  service.on('GET /sessions/whoami', refused(401))
  await userEvent.type(name, 'Ada{Enter}')
  await screen.findByText('Log in to continue.')
  expect(screen.getByText('Your session has ended.')).toBeTruthy()
  service.on('GET /sessions/whoami', ok(sessionJson()))
  expect(screen.getByLabelText('Email')).toHaveProperty('value', ADA)
  expect(document.activeElement).toBe(screen.getByLabelText('Password'))
  await userEvent.type(screen.getByLabelText('Password'), 'secret words{Enter}')
  await screen.findByDisplayValue('Ada')
  // Asking once is enough.
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
})

test('the profile shows the address', async () => {
  await openProfile()
  expect(screen.getByText(ADA)).toBeTruthy()
  expect(document.title).toBe(`Profile · ${product.name}`)
})

test('saves a name with the other traits', async () => {
  const { service, name } = await openProfile({
    [create]: ok(settingsFlowJson({ name: 'Ada' })),
    [submit]: ok(settingsFlowJson({ name: 'Ada L.', state: 'success' })),
  })
  await waitFor(() => expect(name.value).toBe('Ada'))
  await userEvent.type(name, ' L.{Enter}')
  await screen.findByText('Saved.')
  expect(service.calls(submit)[0]?.body).toEqual({
    method: 'profile',
    traits: { email: ADA, name: 'Ada L.' },
    csrf_token: 'csrf-of-settings-1',
  })
})

describe('a new password', () => {
  test('is set, the form closes, and the page says what happened to other devices', async () => {
    const { service, password } = await openPassword({ [submit]: ok(settingsFlowJson({ state: 'success' })) })
    await userEvent.type(password, 'other quiet words{Enter}')
    await screen.findByText('Your new password is set. Your other devices have been logged out.')
    expect(screen.queryByLabelText('New password')).toBeNull()
    expect(service.calls(submit)[0]?.body).toMatchObject({
      method: 'password',
      password: 'other quiet words',
    })
  })

  test('that is too short is not sent', async () => {
    const { service, password } = await openPassword()
    await userEvent.type(password, 'short{Enter}')
    await screen.findByText('Password must be at least 6 characters.')
    expect(document.title).toBe(`Error: Security · ${product.name}`)
    await userEvent.type(password, ' no more')
    expect(document.title).toBe(`Security · ${product.name}`)
    expect(service.calls(submit)).toEqual([])
  })

  test('stays in the field when the service refuses it', async () => {
    const same = text(4000032, 'That is the one you have.')
    const { password } = await openPassword({
      [submit]: bad(settingsFlowJson({ fields: { password: [same] } })),
    })
    await userEvent.type(password, 'three quiet words{Enter}')
    await screen.findByText(same.text)
    expect(password.value).toBe('three quiet words')
  })

  test('is kept when no response comes, and can be sent again', async () => {
    const { password } = await openPassword({
      [submit]: ['no answer', ok(settingsFlowJson({ state: 'success' }))],
    })
    await userEvent.type(password, 'other quiet words{Enter}')
    await screen.findByText(/Your entries stay here/)
    expect(password.value).toBe('other quiet words')
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText(/Your new password is set/)
  })

  test('after a long session is sent again once the user has reauthenticated', async () => {
    const url = 'http://localhost:3000/.ory/self-service/login/browser?refresh=true'
    const { service, password } = await openPassword({
      [submit]: [
        refused(403, 'session_refresh_required', { redirect_browser_to: url }),
        ok(settingsFlowJson({ state: 'success' })),
      ],
      'GET /self-service/login/browser': ok({ ...loginFlowJson({ identifier: ADA }), refresh: true }),
      'POST /self-service/login': ok({ session: sessionJson(), continue_with: null }),
    })
    await userEvent.type(password, 'other quiet words{Enter}')
    const dialog = await screen.findByRole('dialog', { name: 'Confirm it’s you' })
    await userEvent.type(await within(dialog).findByLabelText('Password'), 'secret words{Enter}')
    await screen.findByText(/Your new password is set/)
    expect(service.calls(submit)).toHaveLength(2)
    expect(service.calls('POST /self-service/login')[0]?.body).toMatchObject({
      identifier: ADA,
      password: 'secret words',
    })
  })

  test('says how long to wait after too many attempts to reauthenticate', async () => {
    const { password } = await openPassword({
      [submit]: refused(403, 'session_refresh_required', { redirect_browser_to: '/login?refresh=true' }),
      'GET /self-service/login/browser': ok({ ...loginFlowJson({ identifier: ADA }), refresh: true }),
      'POST /self-service/login': { status: 429, body: { error: TOO_MANY } },
    })
    await userEvent.type(password, 'other quiet words{Enter}')
    const dialog = await screen.findByRole('dialog')
    await userEvent.type(await within(dialog).findByLabelText('Password'), 'secret words{Enter}')
    await within(dialog).findByText(/Try again in [12]:\d\d\.$/)
  })

  test('is kept in its field when the user does not reauthenticate', async () => {
    const url = 'http://localhost:3000/.ory/self-service/login/browser?refresh=true'
    const { service, password } = await openPassword({
      [submit]: refused(403, 'session_refresh_required', { redirect_browser_to: url }),
      'GET /self-service/login/browser': ok({ ...loginFlowJson({ identifier: ADA }), refresh: true }),
    })
    await userEvent.type(password, 'other quiet words{Enter}')
    const dialog = await screen.findByRole('dialog')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(password.value).toBe('other quiet words')
    expect(service.calls(submit)).toHaveLength(1)
  })
})

test('reauthentication asks for the password only, and goes where the service says', async () => {
  const assign = vi.fn()
  const back = 'http://localhost:3000/.ory/self-service/settings?flow=settings-1'
  const service = fakeService({
    'GET /sessions/whoami': ok(sessionJson()),
    'GET /self-service/login/flows': ok({ ...loginFlowJson({ identifier: ADA }), refresh: true }),
    'POST /self-service/login': ok({
      session: sessionJson(),
      continue_with: [{ action: 'redirect_browser_to', redirect_browser_to: back }],
    }),
  })
  renderApp('/login?flow=login-1')
  await screen.findByRole('heading', { name: 'Confirm it’s you' })
  expect(screen.queryByLabelText('Email')).toBeNull()
  vi.stubGlobal('location', { ...location, href: location.href, assign })
  await userEvent.type(screen.getByLabelText('Password'), 'secret words{Enter}')
  await waitFor(() => expect(assign).toHaveBeenCalledWith(back))
  expect(service.calls('POST /self-service/login')[0]?.body).toMatchObject({ identifier: ADA })
})
