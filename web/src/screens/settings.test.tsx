import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import { describeDevice } from '../features/settings/describe-device.ts'
import { fakeService } from '../testing/fake-service.ts'
import {
  ADA,
  bad,
  loginFlowJson,
  ok,
  refused,
  sessionJson,
  settingsFlowJson,
  text,
} from '../testing/flows.ts'
import { renderApp } from '../testing/render-app.tsx'

const create = 'GET /self-service/settings/browser'
const submit = 'POST /self-service/settings'
const list = 'GET /sessions'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1'

const sessionOn = (id: string, user_agent: string) =>
  sessionJson({
    id,
    authenticated_at: '2026-01-02T03:04:05Z',
    devices: [{ id: `device-of-${id}`, user_agent, ip_address: '192.0.2.7' }],
  })

async function openSettings(routes: Parameters<typeof fakeService>[0] = {}) {
  const service = fakeService({
    'GET /sessions/whoami': ok(sessionOn('session-1', firefox)),
    [create]: ok(settingsFlowJson()),
    [list]: ok([]),
    ...routes,
  })
  const app = renderApp('/settings')
  const password = (await screen.findByLabelText('New password')) as HTMLInputElement
  return { service, app, password }
}

test('who logs out here is on the home page, not asked to sign in', async () => {
  const { app } = await openSettings({
    'GET /self-service/logout/browser': ok({ logout_token: 'token', logout_url: 'http://localhost/' }),
    'GET /self-service/logout': ok({}),
  })
  await userEvent.click(screen.getByRole('button', { name: 'Logout' }))
  await screen.findByRole('link', { name: 'Login' })
  expect(app.address()).toBe('/')
})

test('a visitor signs in first and comes back here', async () => {
  const service = fakeService({
    'GET /self-service/login/browser': ok(loginFlowJson()),
    'POST /self-service/login': ok({ session: sessionJson(), continue_with: null }),
    [create]: ok(settingsFlowJson()),
    [list]: ok([]),
  })
  const app = renderApp('/settings')
  // Two screens load one after the other.
  await userEvent.type(await screen.findByLabelText('Email', {}, { timeout: 5000 }), ADA)
  expect(screen.getByText('Please sign in to go on where you were.')).toBeTruthy()
  service.on('GET /sessions/whoami', ok(sessionJson()))
  await userEvent.type(screen.getByLabelText('Password'), 'secret words{Enter}')
  await screen.findByRole('heading', { name: 'Settings' })
  expect(app.address()).toBe('/settings')
})

test('who is not signed in any more comes here anew, over the sign-in', async () => {
  const { password } = await openSettings({ [submit]: refused(401, 'session_inactive') })
  const assign = vi.fn()
  vi.stubGlobal('location', { ...location, href: location.href, assign })
  await userEvent.type(password, 'new secret words{Enter}')
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/settings'))
})

test('the page shows the address, and no name where accounts have none', async () => {
  await openSettings()
  expect(screen.getByText(ADA)).toBeTruthy()
  expect(screen.queryByLabelText('Name')).toBeNull()
  expect(document.title).toBe('Settings · My App')
})

test('a name is saved beside the other traits', async () => {
  const { service } = await openSettings({
    [create]: ok(settingsFlowJson({ name: 'Ada' })),
    [submit]: ok(settingsFlowJson({ name: 'Ada L.', state: 'success' })),
  })
  const name = (await screen.findByLabelText('Name')) as HTMLInputElement
  expect(name.value).toBe('Ada')
  await userEvent.type(name, ' L.{Enter}')
  await screen.findByText('Your name is saved.')
  expect(service.calls(submit)[0]?.body).toEqual({
    method: 'profile',
    traits: { email: ADA, name: 'Ada L.' },
    csrf_token: 'csrf-of-settings-1',
  })
})

describe('a new password', () => {
  test('is set, the field is empty afterwards, and the page says so', async () => {
    const { service, password } = await openSettings({ [submit]: ok(settingsFlowJson({ state: 'success' })) })
    await userEvent.type(password, 'other quiet words{Enter}')
    await screen.findByText('Your new password is set.')
    expect(password.value).toBe('')
    expect(service.calls(submit)[0]?.body).toMatchObject({
      method: 'password',
      password: 'other quiet words',
    })
  })

  test('that is too short is not sent', async () => {
    const { service, password } = await openSettings()
    await userEvent.type(password, 'short{Enter}')
    await screen.findByText('Password must be at least 6 characters.')
    expect(service.calls(submit)).toEqual([])
  })

  test('that the service refuses is kept beside the reason', async () => {
    const same = text(4000032, 'That is the one you have.')
    const { password } = await openSettings({
      [submit]: bad(settingsFlowJson({ fields: { password: [same] } })),
    })
    await userEvent.type(password, 'three quiet words{Enter}')
    await screen.findByText(same.text)
    expect(password.value).toBe('three quiet words')
  })

  test('is kept when no answer comes, and can be sent again', async () => {
    const { password } = await openSettings({
      [submit]: ['no answer', ok(settingsFlowJson({ state: 'success' }))],
    })
    await userEvent.type(password, 'other quiet words{Enter}')
    await screen.findByText(/What you typed is kept/)
    expect(password.value).toBe('other quiet words')
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('Your new password is set.')
  })

  test('after a long session leads to the place where the person confirms who they are', async () => {
    const assign = vi.fn()
    const url = 'http://localhost:3000/.ory/self-service/login/browser?refresh=true'
    const { password } = await openSettings({
      [submit]: refused(403, 'session_refresh_required', { redirect_browser_to: url }),
    })
    vi.stubGlobal('location', { ...location, href: location.href, assign })
    await userEvent.type(password, 'other quiet words{Enter}')
    await waitFor(() => expect(assign).toHaveBeenCalledWith(url))
  })

  test('that was carried out on the way back is confirmed by the page', async () => {
    fakeService({
      'GET /sessions/whoami': ok(sessionJson()),
      'GET /self-service/settings/flows': ok(settingsFlowJson({ state: 'success' })),
      [list]: ok([]),
    })
    renderApp('/settings?flow=settings-1')
    await screen.findByText('Your changes are saved.')
  })
})

test('confirming asks for the password only, and goes where the service says', async () => {
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
  await screen.findByRole('heading', { name: 'Confirm it is you' })
  expect(screen.queryByLabelText('Email')).toBeNull()
  vi.stubGlobal('location', { ...location, href: location.href, assign })
  await userEvent.type(screen.getByLabelText('Password'), 'secret words{Enter}')
  await waitFor(() => expect(assign).toHaveBeenCalledWith(back))
  expect(service.calls('POST /self-service/login')[0]?.body).toMatchObject({ identifier: ADA })
})

describe('signed-in devices', () => {
  const phone = sessionOn('session-2', safari)

  test('lists this one first, by names that people know', async () => {
    await openSettings({ [list]: ok([phone]) })
    await screen.findByText('Safari on iPhone', { selector: 'p' })
    const rows = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(rows[0]).toMatch(/^Firefox on Linux.*192\.0\.2\.7This device$/)
    expect(rows[1]).toMatch(/^Safari on iPhoneSigned in 2 Jan 2026/)
  })

  test('ends one', async () => {
    const end = 'DELETE /sessions/session-2'
    const { service } = await openSettings({ [list]: [ok([phone]), ok([])], [end]: { status: 204 } })
    await userEvent.click(await screen.findByRole('button', { name: 'Sign out Safari on iPhone' }))
    await waitFor(() => expect(screen.queryByText('Safari on iPhone', { selector: 'p' })).toBeNull())
    expect(service.calls(end)).toHaveLength(1)
  })

  test('ends all others', async () => {
    const end = 'DELETE /sessions'
    const { service } = await openSettings({ [list]: [ok([phone]), ok([])], [end]: ok({ count: 1 }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Sign out everywhere else' }))
    await waitFor(() => expect(screen.queryByText('Safari on iPhone', { selector: 'p' })).toBeNull())
    expect(service.calls(end)).toHaveLength(1)
  })

  test('says when ending did not work, and leaves the device in the list', async () => {
    await openSettings({ [list]: ok([phone]), 'DELETE /sessions/session-2': 'no answer' })
    await userEvent.click(await screen.findByRole('button', { name: 'Sign out Safari on iPhone' }))
    await screen.findByText(/That did not work/)
    expect(screen.getByText('Safari on iPhone', { selector: 'p' })).toBeTruthy()
  })

  test('says when the list does not come, with a way to try again', async () => {
    await openSettings({ [list]: ['no answer', ok([phone])] })
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
    await screen.findByText('Safari on iPhone', { selector: 'p' })
  })
})

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15', 'Safari on macOS'],
  ['curl/8.5.0', 'An app'],
  [undefined, 'An app'],
])('%s is called %s', (userAgent, name) => {
  expect(describeDevice(userAgent)).toBe(name)
})
