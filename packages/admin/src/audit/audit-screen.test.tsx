import { fakeService } from '@ostiary/react/testing/fake-service'
import { ok } from '@ostiary/react/testing/flows'
import { createQueryClient } from '@ostiary/ui/internal'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { ADMIN_ROUTES } from '../../../identity/src/http/admin/routes.ts'
import { auditTexts } from '../texts.ts'
import { AuditScreen } from './audit-screen.tsx'

const AT = '2026-01-02T03:04:05Z'
const common = { outcome: 'ok', changes: null, operator: 'ada', client_address: '192.0.2.1', created_at: AT }
const calls = [
  { ...common, id: '1', method: 'PATCH /identities/:id', identity_id: 'bob', changes: 'state' },
  { ...common, id: '2', method: 'DELETE /identities/:id', identity_id: 'gone', operator: null },
  { ...common, id: '3', method: 'POST /later', identity_id: null, outcome: 'refused' },
]
const bob = {
  id: 'bob',
  state: 'active',
  traits: { email: 'bob@example.com' },
  created_at: AT,
  updated_at: AT,
}

test('shows who did what to which account', async () => {
  const service = fakeService({ 'GET /admin/audit': ok(calls), 'GET /admin/identities': ok([bob]) })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MemoryRouter>
        <AuditScreen />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'bob@example.com' })
  expect(link.getAttribute('href')).toBe('/accounts/bob')
  expect(service.calls('GET /admin/identities')[0]?.url.searchParams.getAll('ids')).toEqual(['bob', 'gone'])
  const [changed, deleted, unknown] = screen.getAllByRole('listitem')
  expect(changed?.textContent).toMatch(/^Change an account.*state.*ada.*bob@example\.com.*192\.0\.2\.1/)
  expect(deleted?.textContent).toMatch(/^Delete an account gone/)
  expect(unknown?.textContent).toMatch(/^POST \/later.*Refused$/)
  expect(within(deleted as HTMLElement).queryByRole('link')).toBeNull()
})

test('asks for the names of many accounts in several calls', async () => {
  const many = Array.from({ length: 60 }, (_, n) => ({
    ...calls[0],
    id: `${n}`,
    identity_id: `account-${n}`,
  }))
  const service = fakeService({ 'GET /admin/audit': ok(many), 'GET /admin/identities': ok([]) })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <MemoryRouter>
        <AuditScreen />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  await screen.findByText('account-59')
  const asked = service.calls('GET /admin/identities').map(({ url }) => url.searchParams.getAll('ids').length)
  expect(asked).toEqual([50, 10])
})

test('says that no operator has done anything', async () => {
  fakeService({ 'GET /admin/audit': ok([]) })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <AuditScreen />
    </QueryClientProvider>,
  )
  await screen.findByText('No operator has done anything yet.')
})

test('has words for each call that the service records', () => {
  const recorded = ADMIN_ROUTES.filter(([, path]) => !/^\/(health|metrics)\b/.test(path))
  expect(Object.keys(auditTexts.calls).sort()).toEqual(
    recorded.map(([method, path]) => `${method} ${path}`).sort(),
  )
})
