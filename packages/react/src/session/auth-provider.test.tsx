import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import type { IdentityService } from '../service.ts'
import { fakeService, serverDate } from '../testing/fake-service.ts'
import { ok, refused, sessionJson, tokenFor } from '../testing/flows.ts'
import { takeErrors } from '../testing/setup.ts'
import { AuthProvider } from './auth-provider.tsx'
import { type Auth, useAuth } from './use-auth.ts'
import { clearUserJwt, readUserJwt } from './user-jwt-cookie.ts'

const whoami = 'GET /sessions/whoami'
const service = { url: '/.ory', tokenizeAs: 'my_app_jwt' }
const HOUR = 3_600_000

function renderAuth(given: IdentityService = service) {
  const seen: Auth[] = []
  function Probe() {
    const auth = useAuth()
    seen.push(auth)
    return <p>{auth.isLoading ? 'loading' : auth.isAuthenticated ? 'authenticated' : 'anonymous'}</p>
  }
  const view = render(
    <QueryClientProvider client={new QueryClient()}>
      <AuthProvider service={given}>
        <Probe />
      </AuthProvider>
    </QueryClientProvider>,
  )
  const now = () => seen.at(-1) as Auth
  return { ...view, now, seen }
}

test('outside its provider the auth state throws the sentence of the specification', () => {
  function Lost() {
    useAuth()
    return null
  }
  expect(() => render(<Lost />)).toThrow('useAuth must be used within an AuthProvider')
  takeErrors()
})

describe('the session', () => {
  test('is fetched once at the start, tokenized, and kept in the cookie', async () => {
    const session = sessionJson()
    const service = fakeService({ [whoami]: ok(session) })
    const { now } = renderAuth()
    expect(now()).toMatchObject({ isLoading: true, isAuthenticated: false, session: null })
    await screen.findByText('authenticated')
    expect(now().session?.identity?.traits).toEqual({ email: 'ada@example.com' })
    expect(readUserJwt()).toBe(session.tokenized)
    expect(service.calls(whoami)).toHaveLength(1)
    const [call] = service.calls(whoami)
    expect(call?.url.searchParams.get('tokenize_as')).toBe('my_app_jwt')
    expect(call?.init.credentials).toBe('include')
  })

  test('is known to the page when `refetch` resolves, so that no guard redirects the next navigation', async () => {
    fakeService({ [whoami]: [refused(401), ok(sessionJson())] })
    const { now } = renderAuth()
    await screen.findByText('anonymous')
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
    await now().refetch()
    expect(now().isAuthenticated).toBe(true)
  })

  test.each([
    ['no user is signed in', refused(401)],
    ['the session is inactive', ok(sessionJson({ active: false }))],
    ['the answer is empty', ok(null)],
  ])('is none when %s, and a cookie left over goes', async (_, answer) => {
    // biome-ignore lint/suspicious/noDocumentCookie: what an earlier visit left
    document.cookie = 'user_jwt=old; Path=/'
    fakeService({ [whoami]: answer })
    const { now } = renderAuth()
    await screen.findByText('anonymous')
    expect(now().session).toBeNull()
    expect(readUserJwt()).toBeUndefined()
  })

  test('is not asked for where the app knows that there is none', async () => {
    // biome-ignore lint/suspicious/noDocumentCookie: what an earlier visit left
    document.cookie = 'user_jwt=old; Path=/'
    const network = fakeService({ [whoami]: ok(sessionJson()) })
    const { now } = renderAuth({ ...service, mayHaveSession: () => false })
    await screen.findByText('anonymous')
    expect(network.calls(whoami)).toEqual([])
    expect(readUserJwt()).toBeUndefined()
    await act(() => now().refetch())
    await screen.findByText('authenticated')
  })

  test('is none when the fetch fails, which is logged', async () => {
    fakeService({ [whoami]: refused(500) })
    const { now } = renderAuth()
    await screen.findByText('anonymous')
    expect(now().isUnreachable).toBe(true)
    expect(takeErrors()[0]?.[0]).toBe('Error fetching session')
  })

  test('is fetched again once the service is back', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    fakeService({ [whoami]: ['no answer', ok(sessionJson())] })
    renderAuth()
    await screen.findByText('anonymous')
    await act(() => vi.advanceTimersByTimeAsync(4100))
    await screen.findByText('authenticated')
    takeErrors()
  })

  test('can be fetched again', async () => {
    fakeService({ [whoami]: [refused(401), ok(sessionJson())] })
    const { now } = renderAuth()
    await screen.findByText('anonymous')
    await act(() => now().refetch())
    await screen.findByText('authenticated')
  })

  test('is loading during each fetch', async () => {
    fakeService({ [whoami]: [refused(401), 'never'] })
    const { now } = renderAuth()
    await screen.findByText('anonymous')
    act(() => void now().refetch())
    await screen.findByText('loading')
  })
})

describe('user_jwt', () => {
  test('is renewed before it expires, without a loading state', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const service = fakeService({ [whoami]: () => ok(sessionJson({ tokenized: tokenFor({ life: 100 }) })) })
    const { seen } = renderAuth()
    await screen.findByText('authenticated')
    const first = readUserJwt()
    const before = seen.length
    await act(() => vi.advanceTimersByTimeAsync(60_000))
    expect(service.calls(whoami)).toHaveLength(1)
    await act(() => vi.advanceTimersByTimeAsync(22_000))
    expect(service.calls(whoami)).toHaveLength(2)
    expect(readUserJwt()).not.toBe(first)
    expect(seen.slice(before).every(({ isLoading }) => !isLoading)).toBe(true)
  })

  test.each([-24 * HOUR, -HOUR / 6, HOUR / 6, 24 * HOUR])(
    'FLT-32: is stored and renewed in time although the browser’s clock is wrong by %d ms',
    async (lead) => {
      vi.useFakeTimers({ shouldAdvanceTime: true })
      const newToken = () => tokenFor({ life: 100, iat: Math.floor(serverDate(lead).getTime() / 1000) })
      const service = fakeService({ [whoami]: () => ok(sessionJson({ tokenized: newToken() })) }, lead)
      renderAuth()
      await screen.findByText('authenticated')
      await act(() => vi.advanceTimersByTimeAsync(60_000))
      expect(service.calls(whoami)).toHaveLength(1)
      expect(readUserJwt()).toBeDefined()
      await act(() => vi.advanceTimersByTimeAsync(22_000))
      expect(service.calls(whoami)).toHaveLength(2)
    },
  )

  test.each([-24 * HOUR, -HOUR / 6, HOUR / 6, 24 * HOUR])(
    'FLT-32: is renewed at the next look at the tab after the browser’s clock was moved by %d ms',
    async (move) => {
      vi.useFakeTimers({ toFake: ['Date'] })
      const service = fakeService({ [whoami]: ok(sessionJson()) })
      renderAuth()
      await screen.findByText('authenticated')
      vi.setSystemTime(Date.now() + move)
      document.dispatchEvent(new Event('visibilitychange'))
      await waitFor(() => expect(service.calls(whoami)).toHaveLength(2))
    },
  )

  test('SEC-23: a tab that finds a fresh cookie of another tab does not ask for one', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const service = fakeService({ [whoami]: () => ok(sessionJson({ tokenized: tokenFor({ life: 100 }) })) })
    renderAuth()
    await screen.findByText('authenticated')
    await act(() => vi.advanceTimersByTimeAsync(60_000))
    // biome-ignore lint/suspicious/noDocumentCookie: another tab writes it
    document.cookie = `user_jwt=${tokenFor({ life: 100 })}; Path=/`
    await act(() => vi.advanceTimersByTimeAsync(25_000))
    expect(service.calls(whoami)).toHaveLength(1)
  })

  test.each([
    [0, 78_000, 81_000],
    [0.999, 74_000, 77_000],
  ])('SEC-23: tabs renew at different moments (%d)', async (chance, earliest, latest) => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    vi.spyOn(Math, 'random').mockReturnValue(chance)
    const asked: number[] = []
    const answer = () => {
      asked.push(Date.now())
      return ok(sessionJson({ tokenized: tokenFor({ life: 100 }) }))
    }
    fakeService({ [whoami]: answer })
    renderAuth()
    await screen.findByText('authenticated')
    await act(() => vi.advanceTimersByTimeAsync(latest))
    const [first = 0, second = 0] = asked
    expect(second - first).toBeGreaterThan(earliest)
    expect(second - first).toBeLessThanOrEqual(latest)
  })

  test('HDR-05: a cookie that belongs to another session is replaced when the tab is looked at', async () => {
    const session = sessionJson()
    fakeService({ [whoami]: ok(session) })
    renderAuth()
    await screen.findByText('authenticated')
    // biome-ignore lint/suspicious/noDocumentCookie: a site beside ours plants it
    document.cookie = `user_jwt=${tokenFor({ sid: 'another-session' })}; Path=/`
    document.dispatchEvent(new Event('visibilitychange'))
    await waitFor(() => expect(readUserJwt()).toBe(session.tokenized))
  })

  test('a renewal without a response leaves the user signed in', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const first = ok(sessionJson({ tokenized: tokenFor({ life: 100 }) }))
    const service = fakeService({ [whoami]: [first, 'no answer', ok(sessionJson())] })
    renderAuth()
    await screen.findByText('authenticated')
    await act(() => vi.advanceTimersByTimeAsync(82_000))
    expect(service.calls(whoami).length).toBeGreaterThan(1)
    expect(screen.getByText('authenticated')).toBeTruthy()
  })
})

describe('logging out', () => {
  const begin = 'GET /self-service/logout/browser'
  const end = 'GET /self-service/logout'
  const token = {
    logout_token: 'logout-1',
    logout_url: 'http://localhost:3000/.ory/self-service/logout?token=logout-1',
  }

  test('redeems the logout token and clears session and cookie', async () => {
    const service = fakeService({ [whoami]: ok(sessionJson()), [begin]: ok(token), [end]: { status: 204 } })
    const { now } = renderAuth()
    await screen.findByText('authenticated')
    await act(() => now().logout())
    await screen.findByText('anonymous')
    expect(service.calls(end)[0]?.url.searchParams.get('token')).toBe('logout-1')
    expect(now()).toMatchObject({ session: null, isAuthenticated: false })
    expect(readUserJwt()).toBeUndefined()
  })

  test('that fails throws and changes nothing', async () => {
    fakeService({ [whoami]: ok(sessionJson()), [begin]: refused(500) })
    const { now } = renderAuth()
    await screen.findByText('authenticated')
    await expect(now().logout()).rejects.toThrow('could not be logged out')
    expect(now().isAuthenticated).toBe(true)
    expect(readUserJwt()).toBeTruthy()
  })

  test('a session that is already over counts as ended', async () => {
    fakeService({ [whoami]: ok(sessionJson()), [begin]: refused(401, 'session_inactive') })
    const { now } = renderAuth()
    await screen.findByText('authenticated')
    await act(() => now().logout())
    await screen.findByText('anonymous')
  })

  test('SEC-23: in another tab ends the session here too', async () => {
    fakeService({ [whoami]: ok(sessionJson()) })
    renderAuth()
    await screen.findByText('authenticated')
    const other = new BroadcastChannel('ostiary')
    other.postMessage({ kind: 'signed-out' })
    await screen.findByText('anonymous')
    expect(readUserJwt()).toBeUndefined()
    other.close()
  })

  const showRestored = () => fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }))

  test('FLT-33: in another tab hides a page that the back button restores, before the service answers', async () => {
    fakeService({ [whoami]: [ok(sessionJson()), 'never'] })
    const { now } = renderAuth()
    await screen.findByText('authenticated')
    clearUserJwt({})
    showRestored()
    await waitFor(() => expect(now().session).toBeNull())
  })

  test('FLT-33: elsewhere ends the session of a page that the back button restores', async () => {
    fakeService({ [whoami]: [ok(sessionJson()), refused(401)] })
    renderAuth()
    await screen.findByText('authenticated')
    showRestored()
    await screen.findByText('anonymous')
  })
})
