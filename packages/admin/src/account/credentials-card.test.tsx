import { fakeService } from '@ostiary/react/testing/fake-service'
import { createQueryClient } from '@ostiary/ui/internal'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { CredentialsCard } from './details-cards.tsx'

const DELETE = 'DELETE /admin/identities/user-1/credentials'

function open(...types: string[]) {
  const service = fakeService({
    [`${DELETE}/lookup_secret`]: { status: 204 },
    [`${DELETE}/totp`]: { status: 204 },
  })
  const account = {
    ...{ id: 'user-1', state: 'active', traits: {}, created_at: '', updated_at: '' },
    ...{ verifiable_addresses: [], metadata_public: { roles: [] } },
    credentials: Object.fromEntries(types.map((type) => [type, { created_at: '2026-01-02T03:04:05Z' }])),
  }
  render(
    <QueryClientProvider client={createQueryClient()}>
      <CredentialsCard account={account} />
    </QueryClientProvider>,
  )
  return service
}

test('removes the second step of a user who has lost it, after a question', async () => {
  const service = open('password', 'totp', 'lookup_secret')
  await userEvent.click(screen.getByRole('button', { name: 'Remove the second step' }))
  await screen.findByText(/Make sure the owner asked for this/)
  await userEvent.click(screen.getByRole('button', { name: 'Remove the second step' }))
  await screen.findByText('The second step is removed.')
  expect(service.calls(`${DELETE}/lookup_secret`)).toHaveLength(1)
  expect(service.calls(`${DELETE}/totp`)).toHaveLength(1)
})

test('a removal that was interrupted after the backup codes can be repeated', async () => {
  const service = open('password', 'totp', 'lookup_secret')
  service.on(`${DELETE}/lookup_secret`, { status: 404, body: { error: { message: 'gone' } } })
  await userEvent.click(screen.getByRole('button', { name: 'Remove the second step' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Remove the second step' }))
  await screen.findByText('The second step is removed.')
  expect(service.calls(`${DELETE}/totp`)).toHaveLength(1)
})

test('lists the login methods like the details, each with its date in the same line', () => {
  open('password', 'passkey')
  const names = screen.getAllByRole('term').map(({ textContent }) => textContent)
  expect(names).toEqual(['Password', 'Passkey'])
  for (const date of screen.getAllByRole('definition')) expect(date.textContent).toMatch(/^Added /)
})

test('an account without a second step has none to remove', () => {
  open('password', 'passkey')
  expect(screen.queryByRole('button')).toBeNull()
})
