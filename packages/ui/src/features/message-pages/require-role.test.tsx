import { AuthProvider } from '@ostiary/react'
import { fakeService } from '@ostiary/react/testing/fake-service'
import { ok, sessionJson } from '@ostiary/react/testing/flows'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { roles } from '../../../../../app.config.ts'
import { createQueryClient } from '../../api/query-client.ts'
import { serviceOfPage } from '../../api/service.ts'
import { RequireRole } from './require-role.tsx'

const [role] = roles

function openAs(metadata_public: unknown) {
  // biome-ignore lint/suspicious/noDocumentCookie: the server sets it with the page
  document.cookie = 'session_hint=1'
  const identity = { ...sessionJson().identity, metadata_public }
  fakeService({ 'GET /sessions/whoami': ok(sessionJson({ identity })) })
  render(
    <MemoryRouter>
      <QueryClientProvider client={createQueryClient()}>
        <AuthProvider service={serviceOfPage()}>
          <RequireRole name={role}>
            <p>members only</p>
          </RequireRole>
        </AuthProvider>
      </QueryClientProvider>
    </MemoryRouter>,
  )
}

test('a user with the role sees the page', async () => {
  openAs({ roles: [role] })
  await screen.findByText('members only')
})

test.each([[null], [{}], [{ roles: ['former'] }], [{ roles: role }], [role]])(
  'a user with the metadata %j sees 403 instead',
  async (metadata) => {
    openAs(metadata)
    await screen.findByRole('heading', { name: '403 Forbidden' })
    expect(screen.queryByText('members only')).toBeNull()
  },
)
