import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { createQueryClient } from '../../api/query-client.ts'
import { fakeService } from '../../testing/fake-service.ts'
import { TraitsCard } from './traits-card.tsx'

test('shows every trait but the email, labelled and ordered by the schema', async () => {
  const properties = {
    email: {},
    birthday: { title: 'Birthday' },
    news: { title: 'Send me news' },
    seats: {},
  }
  fakeService({
    'GET /admin/schemas/person': { status: 200, body: { properties: { traits: { properties } } } },
  })
  const account = {
    ...{ id: 'user-1', schema_id: 'person', state: 'active', created_at: '', updated_at: '' },
    traits: { news: false, seats: 3, email: 'ada@example.com', birthday: '1990-05-17' },
    ...{ verifiable_addresses: [], credentials: {}, metadata_public: { roles: [] } },
  }
  render(
    <QueryClientProvider client={createQueryClient()}>
      <TraitsCard account={account} />
    </QueryClientProvider>,
  )
  await screen.findByText('Send me news')
  const [names, values] = [screen.getAllByRole('term'), screen.getAllByRole('definition')]
  expect(names.map(({ textContent }) => textContent)).toEqual(['Birthday', 'Send me news', 'seats'])
  expect(values.map(({ textContent }) => textContent)).toEqual(['1990-05-17', 'No', '3'])
})
