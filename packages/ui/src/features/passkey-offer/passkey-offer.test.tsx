import { fakeService } from '@ostiary/react/testing/fake-service'
import { ok, sessionJson } from '@ostiary/react/testing/flows'
import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderApp } from '../../testing/render-app.tsx'
import { writeSettings } from '../../testing/setup.ts'

function openDashboard(passkeys: object[]) {
  vi.stubGlobal('PublicKeyCredential', class {})
  const service = fakeService({
    'GET /sessions/whoami': ok(sessionJson()),
    'GET /api/v1/account/deletion': ok({ due_at: null }),
    'GET /api/v1/account/credentials': ok({ passkeys, connections: [] }),
  })
  renderApp('/dashboard')
  return service
}

const offer = 'Log in faster next time'

test('a user without a passkey is offered one', async () => {
  openDashboard([])
  await screen.findByText(offer)
})

test('a user who has a passkey, maybe on another device, is not offered one', async () => {
  const service = openDashboard([{ id: 'a1', created_at: '2026-01-05T10:00:00.000Z' }])
  await vi.waitFor(() => expect(service.calls('GET /api/v1/account/credentials')).toHaveLength(1))
  await screen.findByText(/No repositories found/)
  expect(screen.queryByText(offer)).toBeNull()
})

test('with an identity service that lists no passkeys, the offer remains', async () => {
  writeSettings({ account_api: false, own: { DASHBOARD_USER: 'octocat' } })
  openDashboard([])
  await screen.findByText(offer)
})
