import { fakeService } from '@ostiary/react/testing/fake-service'
import {
  ADA,
  bad,
  linkingFlowJson,
  loginFlowJson,
  ok,
  providerNode,
  refused,
  sessionJson,
  settingsFlowJson,
  text,
} from '@ostiary/react/testing/flows'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { renderApp } from '../../testing/render-app.tsx'

const login = 'POST /self-service/login'
const settings = 'POST /self-service/settings'
const away = 'https://github.example/authorize'
const go = refused(422, 'browser_location_change_required', { redirect_browser_to: away })

function watchLeaving() {
  const assign = vi.fn()
  vi.stubGlobal('location', { ...location, href: location.href, assign })
  return assign
}

afterEach(() => localStorage.clear())

describe('signing in', () => {
  test('while a password is checked, no other way begins', async () => {
    const service = fakeService({ 'GET /self-service/login/browser': ok(loginFlowJson()), [login]: 'never' })
    renderApp('/login')
    await userEvent.type(await screen.findByLabelText('Email'), ADA)
    await userEvent.type(screen.getByLabelText('Password'), 'four quiet words{Enter}')
    await screen.findByRole('button', { name: 'Logging in…' })
    await userEvent.click(screen.getByRole('button', { name: 'Sign in with GitHub' }))
    expect(service.calls(login).map(({ body }) => (body as { method: string }).method)).toEqual(['password'])
  })

  test('no response: the form says so, and offers no retry that would send the password instead', async () => {
    fakeService({ 'GET /self-service/login/browser': ok(loginFlowJson()), [login]: 'no answer' })
    renderApp('/login')
    await userEvent.click(await screen.findByRole('button', { name: 'Sign in with GitHub' }))
    await screen.findByText(/reach the login service right now/)
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  })

  test('a provider that is down is named, and its button can be pressed again', async () => {
    const reason = 'GitHub could not be reached. Please try again in a minute.'
    fakeService({
      'GET /self-service/login/browser': ok(loginFlowJson()),
      [login]: { status: 502, body: { error: { id: 'upstream_error', code: 502, reason } } },
    })
    renderApp('/login')
    const button = await screen.findByRole('button', { name: 'Sign in with GitHub' })
    await userEvent.click(button)
    await screen.findByText(reason)
    expect(button.getAttribute('aria-disabled')).not.toBe('true')
  })

  describe('on the way to the settings', () => {
    const begin = 'GET /self-service/login/browser'
    const onTheWay = async (status: number) => {
      const returning = loginFlowJson({ id: 'login-2' })
      const service = fakeService({
        [begin]: ({ url }) => {
          if (!url.searchParams.has('return_to')) return ok(loginFlowJson())
          return status === 200 ? ok(returning) : refused(status)
        },
        [login]: go,
      })
      const assign = watchLeaving()
      renderApp('/login', { after: '/settings' })
      await userEvent.click(await screen.findByRole('button', { name: 'Sign in with GitHub' }))
      await waitFor(() => expect(assign).toHaveBeenCalledWith(away))
      return service
    }

    test('a provider leads back to them', async () => {
      const service = await onTheWay(200)
      const returnTo = service.calls(begin).at(-1)?.url.searchParams.get('return_to')
      expect(returnTo).toBe(new URL('/settings', location.href).href)
      expect(service.calls(login)[0]?.url.searchParams.get('flow')).toBe('login-2')
    })

    test('a service that does not allow it leads to its own place', async () => {
      const service = await onTheWay(400)
      expect(service.calls(login)[0]?.url.searchParams.get('flow')).toBe('login-1')
    })
  })
})

describe('an address that has an account', () => {
  const read = 'GET /self-service/login/flows'

  test('leads to one sign-in with the password, which connects both', async () => {
    const service = fakeService({
      [read]: ok(linkingFlowJson({ id: 'login-7' })),
      [login]: ok({ session: sessionJson(), continue_with: null }),
      'GET /self-service/login/browser': ok(loginFlowJson()),
    })
    renderApp('/login?flow=login-7&no_org_ui=true')
    await screen.findByRole('heading', { name: 'You already have an account' })
    expect(screen.getByText(/Log in once to connect GitHub/)).toBeTruthy()
    expect(screen.queryByLabelText('Email')).toBeNull()
    expect(screen.queryByText('Sign in to link.')).toBeNull()
    expect(screen.getByRole('button', { name: 'Continue with Google' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: /GitHub/ })).toBeNull()
    service.on('GET /sessions/whoami', ok(sessionJson()))
    await userEvent.type(screen.getByLabelText('Password'), 'secret words{Enter}')
    await screen.findByRole('heading', { name: 'Dashboard Page' })
    expect(service.calls(login)[0]?.body).toMatchObject({ identifier: ADA, password: 'secret words' })
  })

  test('connecting at the login returns to the page that the user wanted', async () => {
    const assign = watchLeaving()
    const return_to = 'http://localhost:3000/settings/security'
    const back = { action: 'redirect_browser_to', redirect_browser_to: return_to }
    fakeService({
      [read]: ok({ ...linkingFlowJson({ id: 'login-7' }), return_to }),
      [login]: ok({ session: sessionJson(), continue_with: [back] }),
    })
    renderApp('/login?flow=login-7')
    await screen.findByRole('heading', { name: 'You already have an account' })
    await userEvent.type(screen.getByLabelText('Password'), 'secret words{Enter}')
    await waitFor(() => expect(assign).toHaveBeenCalledWith(return_to))
  })

  test('is known by the buttons alone, where the account has no password', async () => {
    const linking = linkingFlowJson({ id: 'login-7' }) as {
      ui: { nodes: { attributes: { name: string } }[] }
    }
    const nodes = linking.ui.nodes.filter(
      ({ attributes }) => !/identifier|password|method/.test(attributes.name),
    )
    fakeService({ [read]: ok({ ...linking, ui: { ...linking.ui, nodes } }) })
    renderApp('/login?flow=login-7')
    await screen.findByText(ADA)
    expect(screen.queryByLabelText('Password')).toBeNull()
    expect(screen.getByRole('button', { name: 'Continue with Google' })).toBeTruthy()
  })

  test('stays open when the user declines at the provider', async () => {
    const messages = [text(4000001, 'Google: You did not agree.')]
    const linking = linkingFlowJson({ id: 'login-7', messages }) as { ui: { nodes: { group: string }[] } }
    const nodes = linking.ui.nodes.filter(({ group }) => group === 'oidc')
    fakeService({ [read]: ok({ ...linking, ui: { ...linking.ui, nodes } }) })
    renderApp('/login?flow=login-7')
    await screen.findByText('Google: You did not agree.')
    expect(screen.getByRole('heading', { name: 'You already have an account' })).toBeTruthy()
  })

  test('still names the provider after a wrong password', async () => {
    const wrong = text(4000006, 'The address or the password is wrong.')
    fakeService({
      [read]: ok(linkingFlowJson({ id: 'login-7' })),
      [login]: bad(linkingFlowJson({ id: 'login-7', messages: [wrong] })),
    })
    renderApp('/login?flow=login-7')
    await screen.findByRole('heading', { name: 'You already have an account' })
    await userEvent.type(screen.getByLabelText('Password'), 'other words{Enter}')
    await screen.findByText(wrong.text)
    expect(screen.getByText(/Log in once to connect GitHub/)).toBeTruthy()
  })
})

describe('connected accounts', () => {
  const both = [providerNode('github', 'link'), providerNode('google', 'unlink')]

  function openSettings(routes: Parameters<typeof fakeService>[0] = {}, methods: unknown[] = []) {
    const service = fakeService({
      'GET /sessions/whoami': ok(sessionJson({ authentication_methods: methods })),
      'GET /api/v1/account/credentials': refused(501),
      'GET /self-service/settings/browser': ok(settingsFlowJson({ providers: both })),
      ...routes,
    })
    renderApp('/settings/connections')
    return service
  }

  test('connect sends the browser to the provider, token and all', async () => {
    const assign = watchLeaving()
    const service = openSettings({ [settings]: go })
    await userEvent.click(await screen.findByRole('button', { name: 'Connect GitHub' }))
    await waitFor(() => expect(assign).toHaveBeenCalledWith(away))
    expect(service.calls(settings)[0]?.body).toEqual({
      method: 'oidc',
      link: 'github',
      csrf_token: 'csrf-of-settings-1',
    })
  })

  test('disconnect asks first, and says that it is done', async () => {
    const after = [providerNode('github', 'link'), providerNode('google', 'link')]
    const service = openSettings({
      [settings]: ok(settingsFlowJson({ providers: after, state: 'success' })),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Disconnect Google' }))
    expect(service.calls(settings)).toEqual([])
    await userEvent.click(await screen.findByRole('button', { name: 'Disconnect' }))
    await screen.findByText('Google disconnected.')
    expect(screen.getByRole('button', { name: 'Connect Google' })).toBeTruthy()
    expect(service.calls(settings)[0]?.body).toMatchObject({ unlink: 'google' })
  })

  test('shows what went wrong at the provider', async () => {
    const messages = [text(4000001, 'GitHub: You did not agree.')]
    fakeService({
      'GET /sessions/whoami': ok(sessionJson()),
      'GET /api/v1/account/credentials': refused(501),
      'GET /self-service/settings/flows': ok(
        settingsFlowJson({ id: 'settings-7', providers: both, active: 'oidc', messages }),
      ),
    })
    renderApp('/settings/connections?flow=settings-7')
    await screen.findByText('GitHub: You did not agree.')
  })

  test('the only sign-in method cannot be removed, and says so', async () => {
    openSettings(
      {
        'GET /self-service/settings/browser': ok(
          settingsFlowJson({ providers: [providerNode('google', 'link')] }),
        ),
      },
      [{ method: 'oidc', provider: 'github', aal: 'aal1' }],
    )
    await screen.findByText('Your only login method. Set a password before disconnecting it.')
    expect(screen.queryByRole('button', { name: /GitHub/ })).toBeNull()
  })

  test('a site without providers says so', async () => {
    openSettings({ 'GET /self-service/settings/browser': ok(settingsFlowJson()) })
    await screen.findByText('This site doesn’t offer login with other accounts.')
    expect(screen.queryByRole('button', { name: /Connect/ })).toBeNull()
  })
})

test('a user with a provider only reauthenticates there, without a password', async () => {
  const { ui, ...flow } = loginFlowJson({ id: 'login-7' }) as {
    ui: { nodes: { attributes: { name: string } }[] }
  }
  const nodes = [
    ...ui.nodes.filter(({ attributes }) => attributes.name === 'csrf_token'),
    providerNode('github'),
  ]
  fakeService({
    'GET /sessions/whoami': ok(sessionJson()),
    'GET /self-service/login/flows': ok({ ...flow, refresh: true, ui: { ...ui, nodes } }),
  })
  renderApp('/login?flow=login-7')
  await screen.findByRole('heading', { name: 'Confirm it’s you' })
  expect(screen.getByText(ADA)).toBeTruthy()
  expect(screen.queryByLabelText('Password')).toBeNull()
  expect(screen.getByRole('button', { name: 'Continue with GitHub' })).toBeTruthy()
  expect(screen.queryByText('Or continue with')).toBeNull()
})

test('many providers share lines, and one without a drawing has its own name', async () => {
  const labels = ['Apple', 'Discord', 'GitHub', 'GitLab', 'Google', 'Microsoft', 'Acme']
  const providers = labels.map((provider) =>
    providerNode(provider.toLowerCase(), 'provider', 1010002, { provider }),
  )
  const service = fakeService({
    'GET /self-service/login/browser': ok(loginFlowJson({ providers })),
    [login]: go,
  })
  watchLeaving()
  renderApp('/login')
  const acme = await screen.findByRole('button', { name: 'Sign in with Acme' })
  expect(screen.getAllByRole('button', { name: /^Sign in with / }).map((one) => one.textContent)).toEqual(
    labels,
  )
  expect(acme.querySelector('svg')).toBeTruthy()
  await userEvent.click(acme)
  await waitFor(() => expect(service.calls(login)[0]?.body).toMatchObject({ provider: 'acme' }))
})

test('a form without providers has no buttons for them', async () => {
  fakeService({ 'GET /self-service/login/browser': ok(loginFlowJson({ providers: [] })) })
  renderApp('/login')
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Sign in with G/ })).toBeNull())
  const ways = screen.getByText('Or continue with').parentElement
  expect(ways?.className).toContain('not-has-[button,p]:hidden')
  expect(ways?.querySelector('button, p')).toBeNull()
})
