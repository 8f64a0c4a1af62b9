import { fakeService } from '@ostiary/react/testing/fake-service'
import { createQueryClient } from '@ostiary/ui/internal'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { SessionsCard } from './sessions-card.tsx'

const LIST = 'GET /admin/identities/user-1/sessions'
const END = 'DELETE /admin/identities/user-1/sessions'
const ended = {
  id: 'session-1',
  active: false,
  authenticated_at: '2026-01-02T03:04:05Z',
  authenticator_assurance_level: 'aal1',
  devices: [{ user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36' }],
}
const MORE = { Link: '</identities/user-1/sessions?page_token=next>; rel="next"' }

function open({ count = 1, ip_address = '192.0.2.1' } = {}) {
  const devices = ended.devices.map((device) => ({ ...device, ip_address }))
  const sessions = Array.from({ length: count }, (_, index) => ({
    ...ended,
    devices,
    id: `session-${index}`,
  }))
  const service = fakeService({
    // As Kratos does, the list names a next page even after its last session.
    [LIST]: { status: 200, body: sessions, headers: MORE },
    [END]: { status: 204 },
  })
  const account = {
    ...{ id: 'user-1', state: 'active', traits: {}, created_at: '', updated_at: '' },
    ...{ verifiable_addresses: [], credentials: {}, metadata_public: { roles: [] } },
  }
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionsCard account={account} />
    </QueryClientProvider>,
  )
  return service
}

test('a user whose newest sessions have ended can be signed out of older ones that are not shown yet', async () => {
  const service = open({ count: 50 })
  await userEvent.click(await screen.findByRole('button', { name: 'Log out everywhere' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Log out everywhere' }))
  await screen.findByText('Logged out everywhere.')
  expect(service.calls(END)).toHaveLength(1)
})

test.each([
  ['[2001:db8::1]:41628', '2001:db8::1'],
  ['192.0.2.1:41628', '192.0.2.1'],
  ['2001:db8::1', '2001:db8::1'],
  ['192.0.2.1', '192.0.2.1'],
])('names the device at %s, without its port', async (ip_address, shown) => {
  open({ ip_address })
  await screen.findByText('Chrome on Linux')
  expect(screen.getByText(shown)).toBeTruthy()
})

test('a user whose sessions have all ended cannot be signed out', async () => {
  open()
  await screen.findByText('Ended')
  expect(screen.queryByRole('button')).toBeNull()
})

test('a user without a session has nothing to log out or to show more of', async () => {
  open({ count: 0 })
  await screen.findByText('Not logged in anywhere.')
  expect(screen.queryByRole('button')).toBeNull()
})
