import { fakeService } from '@ostiary/react/testing/fake-service'
import { ok, refused, sessionJson } from '@ostiary/react/testing/flows'
import { renderApp } from '@ostiary/ui/testing/render-app'
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import { homeTexts } from '../../texts.ts'
import { repositoryJson } from './repository-json.ts'

const whoami = 'GET /sessions/whoami'
const repos = 'GET /api/v1/code-host/users/octocat/repos'
const testep = 'GET /api/v1/cash/protected_user'

const repositoriesOf = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    repositoryJson({ id: index + 1, name: index === 1 ? 'Spoon' : `Fork-${index}` }),
  )

function openDashboard(routes: Parameters<typeof fakeService>[0] = {}) {
  const service = fakeService({
    [whoami]: ok(sessionJson()),
    [repos]: ok([repositoryJson()]),
    [testep]: ok([]),
    ...routes,
  })
  return { service, ...renderApp('/dashboard') }
}

test('an anonymous visitor causes no call', async () => {
  const { service } = openDashboard({ [whoami]: refused(401) })
  await screen.findByRole('heading', { name: homeTexts.heading })
  expect([...service.calls(repos), ...service.calls(testep)]).toEqual([])
})

test('a signed-in user sees the repositories', async () => {
  const { service } = openDashboard()
  const link = await screen.findByRole('link', { name: /^Hello-World/ })
  expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([
    'https://github.com/octocat/Hello-World',
    '_blank',
  ])
  expect(screen.getByText('My first repository on GitHub!')).toBeTruthy()
  expect(screen.getByText(/3,120/).parentElement?.textContent).toContain('stars')
  expect(service.calls(testep)[0]?.init.credentials).toBe('include')
})

test('the line above the list names its owner', async () => {
  openDashboard({ [repos]: ok(repositoriesOf(8)) })
  const owner = await screen.findByRole('link', { name: /^octocat/ })
  expect([owner.getAttribute('href'), owner.getAttribute('target')]).toEqual([
    'https://github.com/octocat',
    '_blank',
  ])
  expect(screen.getByText(/^8 public repositories of/)).toBeTruthy()
  await userEvent.type(screen.getByRole('searchbox', { name: 'Filter by name' }), 'spoon')
  expect(screen.getByText(/^1 of 8 public repositories of/)).toBeTruthy()
})

test('a list that GitHub continues claims no total', async () => {
  openDashboard({
    [repos]: { status: 200, body: repositoriesOf(8), headers: { 'X-Data-Truncated': 'true' } },
  })
  await screen.findByText(/^The first 8 public repositories of/)
  await userEvent.type(screen.getByRole('searchbox', { name: 'Filter by name' }), 'spoon')
  expect(screen.getByText(/^1 of the first 8 public repositories of/)).toBeTruthy()
})

test('a short list has nothing to filter and sort', async () => {
  openDashboard({ [repos]: ok(repositoriesOf(7)) })
  await screen.findByText(/^7 public repositories of/)
  expect(screen.queryByRole('searchbox')).toBeNull()
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
    const notFound = { code: 'not_found', reason: 'In general.', message: 'There is no such user.' }
    const { service } = openDashboard({
      [repos]: { status: 404, body: { error: notFound } },
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
    await screen.findByRole('heading', { name: homeTexts.heading })
    await waitFor(() => expect(address()).toBe('/'))
  })

  test('of the protected call, whose result is unused, does not show', async () => {
    openDashboard({ [testep]: refused(401) })
    await screen.findByRole('link', { name: /^Hello-World/ })
    expect(screen.queryByText(/Error/)).toBeNull()
  })
})

test.each([
  ['stale', 'GitHub does not answer. This list is 12 minutes old.'],
  ['sample', 'Demo: sample of Aug 24, 2026'],
])('a %s list is marked as one', async (source, sentence) => {
  openDashboard({
    [repos]: { status: 200, body: [repositoryJson()], headers: { 'X-Data-Source': source, Age: '720' } },
  })
  await screen.findByText(sentence)
})
