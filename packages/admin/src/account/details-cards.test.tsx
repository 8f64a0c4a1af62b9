import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { traits as known } from '../../../../app.config.ts'
import { TraitsCard } from './details-cards.tsx'

test('shows every trait but the email, in the order of the schema', () => {
  const account = {
    ...{ id: 'user-1', state: 'active', created_at: '', updated_at: '' },
    traits: { news: false, seats: 3, email: 'ada@example.com', name: 'Ada' },
    ...{ verifiable_addresses: [], credentials: {}, metadata_public: { roles: [] } },
  }
  render(<TraitsCard account={account} />)
  const [names, values] = [screen.getAllByRole('term'), screen.getAllByRole('definition')]
  expect(names.map(({ textContent }) => textContent)).toEqual([known.name.title, 'news', 'seats'])
  expect(values.map(({ textContent }) => textContent)).toEqual(['Ada', 'No', '3'])
})
