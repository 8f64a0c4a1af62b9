import { fakeService } from '@ostiary/react/testing/fake-service'
import { ok } from '@ostiary/react/testing/flows'
import { createQueryClient } from '@ostiary/ui/internal'
import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { AccountsScreen } from './accounts-screen.tsx'

const FORBIDDEN = { status: 403, body: { error: { code: 403, reason: 'This token may not delete.' } } }
const LIST = 'GET /admin/identities'
const accounts = ['ada', 'bob', 'cleo'].map((name) => ({
  id: name,
  state: 'active',
  traits: { email: `${name}@example.com` },
  created_at: '2026-01-02T03:04:05Z',
  updated_at: '2026-01-02T03:04:05Z',
}))
const statistics = { accounts: { active: 9998, inactive: 2 }, sign_ins: [] }

function open(routes: Parameters<typeof fakeService>[0] = {}, path = '/accounts') {
  const service = fakeService({ [LIST]: ok(accounts), 'GET /admin/statistics': ok(statistics), ...routes })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MemoryRouter initialEntries={[path]}>
        <AccountsScreen />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  return service
}

const click = async (name: string, role: 'button' | 'checkbox' | 'link' = 'button') =>
  await userEvent.click(await screen.findByRole(role, { name }))
const isSelected = (name: string) =>
  screen.getByRole<HTMLInputElement>('checkbox', { name: `Select ${name}@example.com` }).checked

test('deletes the selected accounts after asking, and keeps those selected that failed', async () => {
  const service = open({
    [LIST]: [ok(accounts), ok(accounts.slice(1))],
    'DELETE /admin/identities/ada': { status: 204 },
    'DELETE /admin/identities/bob': FORBIDDEN,
    'DELETE /admin/identities/cleo': FORBIDDEN,
  })
  await click('Select all shown', 'checkbox')
  await click('Delete')
  await screen.findByText('Delete 3 accounts?')
  expect(service.calls('DELETE /admin/identities/ada')).toHaveLength(0)
  await click('Delete')
  await screen.findByText('1 account deleted.')
  expect(screen.getByText(/^2 accounts failed:/).textContent).toBe(
    '2 accounts failed:\nThis token may not delete. bob@example.com, cleo@example.com',
  )
  expect(screen.queryByText('ada@example.com')).toBeNull()
  expect([isSelected('bob'), isSelected('cleo')]).toEqual([true, true])
})

test('disables after asking, which Escape takes back, and enables at once', async () => {
  const service = open({
    'PATCH /admin/identities/bob': ok({}),
    'DELETE /admin/identities/bob/sessions': { status: 204 },
  })
  await click('Select bob@example.com', 'checkbox')
  await screen.findByText('1 selected')
  await click('Disable')
  await screen.findByText('Disable 1 account?')
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByText('Disable 1 account?')).toBeNull()
  await click('Disable')
  await click('Disable')
  await screen.findByText('1 account disabled.')
  expect(service.calls('DELETE /admin/identities/bob/sessions')).toHaveLength(1)
  expect(isSelected('bob')).toBe(false)
  await click('Select bob@example.com', 'checkbox')
  await click('Enable')
  await screen.findByText('1 account enabled.')
})

test('runs an action once however often its button is pressed', async () => {
  const service = open({ 'PATCH /admin/identities/ada': ok({}) })
  await click('Select ada@example.com', 'checkbox')
  const button = await screen.findByRole('button', { name: 'Enable' })
  for (const _ of [1, 2, 3]) fireEvent.click(button)
  await screen.findByText('1 account enabled.')
  expect(service.calls('PATCH /admin/identities/ada')).toHaveLength(1)
})

test('a search that finds nothing says that it ignores names', async () => {
  open({ [LIST]: ok([]) }, '/accounts?q=Ada')
  await screen.findByText('No account matches.')
  expect(screen.getByText('Names are not searched.')).toBeTruthy()
})

test('reports the result even if the list is empty afterwards', async () => {
  open(
    { [LIST]: [ok(accounts.slice(0, 1)), ok([])], 'PATCH /admin/identities/ada': ok({}) },
    '/accounts?state=inactive',
  )
  await click('Select all shown', 'checkbox')
  await click('Enable')
  await screen.findByText('1 account enabled.')
  await screen.findByText('No account matches.')
})

test('filters by state, with the totals, and keeps the search without them', async () => {
  const service = open()
  const filter = within(await screen.findByRole('navigation', { name: 'State' }))
  await filter.findByRole('link', { name: 'All 10,000' })
  expect(filter.getByRole('link', { name: 'Active 9,998' })).toBeDefined()
  await click('Select ada@example.com', 'checkbox')
  await click('Disabled 2', 'link')
  await waitFor(() => expect(isSelected('ada')).toBe(false))
  expect(service.calls(LIST).at(-1)?.url.searchParams.get('state')).toBe('inactive')

  await userEvent.type(screen.getByRole('searchbox'), 'ada{Enter}')
  await filter.findByRole('link', { name: 'Disabled', current: true })
  const last = service.calls(LIST).at(-1)?.url.searchParams
  expect([last?.get('state'), last?.get('preview_credentials_identifier_similar')]).toEqual([
    'inactive',
    'ada',
  ])
})

test('shows the newest accounts first or, if chosen, the oldest, but not of a search', async () => {
  const service = open()
  const order = () => service.calls(LIST).at(-1)?.url.searchParams.get('order')
  await screen.findByRole('link', { name: 'Newest first', current: true })
  await waitFor(() => expect(order()).toBe('newest'))
  await click('Oldest first', 'link')
  await waitFor(() => expect(order()).toBe('oldest'))
  await userEvent.type(screen.getByRole('searchbox'), 'ada{Enter}')
  await waitFor(() => expect(order()).toBeNull())
  expect(screen.queryByRole('link', { name: 'Newest first' })).toBeNull()
})

test('a search keeps the focus in its field, which follows the address', async () => {
  const service = open()
  await screen.findByText('ada@example.com')
  const field = screen.getByRole<HTMLInputElement>('searchbox')
  service.on(LIST, ok([]))
  await userEvent.type(field, ' nobody {Enter}')
  await waitFor(() => expect(field.value).toBe('nobody'))
  expect(document.activeElement).toBe(field)
  await click('Show all', 'link')
  await waitFor(() => expect(field.value).toBe(''))
})
