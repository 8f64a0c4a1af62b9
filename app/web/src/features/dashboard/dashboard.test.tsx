import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import { fakeService } from '../../testing/fake-service.ts'
import { ok, refused, repositoryJson, sessionJson } from '../../testing/flows.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { takeErrors } from '../../testing/setup.ts'

const whoami = 'GET /sessions/whoami'
const repos = 'GET /api/v1/code-host/users/octocat/repos'
const testep = 'GET /api/v1/cash/protected_user'

function openDashboard(routes: Parameters<typeof fakeService>[0] = {}) {
  const service = fakeService({
    [whoami]: ok(sessionJson()),
    [repos]: ok([repositoryJson()]),
    [testep]: ok([]),
    ...routes,
  })
  return { service, ...renderApp('/dashboard') }
}

describe('the guard', () => {
  test('says that it loads until it is known who is signed in', async () => {
    openDashboard({ [whoami]: 'never' })
    expect(await screen.findByText('Loading authentication...')).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Login' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Logout' })).toBeNull()
  })

  test.each([
    ['an anonymous visitor', refused(401), 0],
    ['a visitor whose session cannot be fetched', refused(500), 1],
  ])('sends %s to the home page', async (_, answer, errors) => {
    const { address, service } = openDashboard({ [whoami]: answer })
    await screen.findByRole('heading', { name: 'Welcome to the Home Page!' })
    await waitFor(() => expect(address()).toBe('/'))
    expect(screen.getByText('Log in to see the dashboard')).toBeTruthy()
    expect(service.calls(repos)).toEqual([])
    expect(takeErrors()).toHaveLength(errors)
  })
})

test('the signed-in see the page, its line and the repositories', async () => {
  const { service } = openDashboard()
  await screen.findByRole('heading', { name: 'Dashboard Page' })
  expect(screen.getByText('Welcome to your dashboard! This is a protected route.')).toBeTruthy()
  const link = await screen.findByRole('link', { name: /^Hello-World/ })
  expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([
    'https://github.com/octocat/Hello-World',
    '_blank',
  ])
  expect(screen.getByText('My first repository on GitHub!')).toBeTruthy()
  expect(screen.getByText(/3,120/).textContent).toContain('stars')
  expect(service.calls(testep)[0]?.init.credentials).toBe('include')
})

test('a repository without a description has none', async () => {
  openDashboard({ [repos]: ok([repositoryJson({ description: null })]) })
  const row = (await screen.findByRole('link', { name: /^Hello-World/ })).closest('li')
  expect(row?.querySelector('p')).toBeNull()
})

test('while the list loads the sentence names the user', async () => {
  openDashboard({ [repos]: 'never' })
  await screen.findByText('Loading GitHub repositories for octocat...')
})

test('an empty list says so', async () => {
  openDashboard({ [repos]: ok([]) })
  await screen.findByText('No repositories found for octocat.')
})

describe('an error', () => {
  test('of the request shows its message at once when repeating it is of no use', async () => {
    const { service } = openDashboard({
      [repos]: { status: 404, body: { error: { message: 'There is no such user.' } } },
    })
    await screen.findByText('Error loading repositories: There is no such user.')
    expect(service.calls(repos)).toHaveLength(1)
  })

  test('of the server shows after three more attempts, one, two and four seconds apart', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const asked: number[] = []
    const refuse = () => {
      asked.push(Date.now())
      return refused(502)
    }
    openDashboard({ [repos]: refuse })
    await screen.findByText(/^Loading GitHub/)
    await act(() => vi.advanceTimersByTimeAsync(8000))
    await screen.findByText('Error loading repositories: no')
    const pauses = asked.slice(1).map((at, n) => Math.floor((at - asked[n]!) / 1000))
    expect(pauses).toEqual([1, 2, 4])
  })

  test('goes away by trying again', async () => {
    openDashboard({ [repos]: [refused(404), ok([repositoryJson()])] })
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
    await screen.findByRole('link', { name: /^Hello-World/ })
  })

  test('of any call that says 401 ends the visit when the session has ended elsewhere', async () => {
    const { address } = openDashboard({ [whoami]: [ok(sessionJson()), refused(401)], [testep]: refused(401) })
    await screen.findByRole('heading', { name: 'Welcome to the Home Page!' })
    await waitFor(() => expect(address()).toBe('/'))
  })

  test('of the protected call, whose result is unused, does not show', async () => {
    openDashboard({ [testep]: refused(401) })
    await screen.findByRole('link', { name: /^Hello-World/ })
    expect(screen.queryByText(/Error/)).toBeNull()
  })
})

test.each([
  ['stale', 'GitHub does not answer right now. This list is 12 minutes old.'],
  ['sample', 'Demo: GitHub cannot be reached, so this is a sample list.'],
])('a %s list is marked as one', async (source, sentence) => {
  openDashboard({
    [repos]: { status: 200, body: [repositoryJson()], headers: { 'X-Data-Source': source, Age: '720' } },
  })
  await screen.findByText(sentence)
})

describe('logging out', () => {
  test('leads to the home page', async () => {
    const { address } = openDashboard({
      'GET /self-service/logout/browser': ok({ logout_token: 'logout-1', logout_url: 'x' }),
      'GET /self-service/logout': { status: 204 },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Logout' }))
    await screen.findByRole('link', { name: 'Login' })
    await waitFor(() => expect(address()).toBe('/'))
    const why = screen.getByText('Log in to see the dashboard')
    expect(why.parentElement?.className).toContain('hidden')
    await userEvent.click(screen.getByRole('link', { name: 'Dashboard' }))
    await waitFor(() =>
      expect(screen.getByText('Log in to see the dashboard').parentElement?.className).not.toContain(
        'hidden',
      ),
    )
    expect(address()).toBe('/')
  })

  test('that fails is logged and leaves everything as it was', async () => {
    const { address } = openDashboard({ 'GET /self-service/logout/browser': 'no answer' })
    await userEvent.click(await screen.findByRole('button', { name: 'Logout' }))
    await waitFor(() => expect(console.error).toHaveBeenCalled())
    expect(takeErrors()[0]?.[0]).toMatchObject({ message: 'could not be logged out' })
    expect(screen.getByRole('button', { name: 'Logout' })).toBeTruthy()
    expect(address()).toBe('/dashboard')
  })
})
