import { fakeService } from '@ostiary/react/testing/fake-service'
import { ok } from '@ostiary/react/testing/flows'
import { createQueryClient } from '@ostiary/ui/internal'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { SignInsChart } from './sign-ins-chart.tsx'

function open(counts: readonly number[]) {
  const sign_ins = counts.map((count, index) => ({ day: `2026-11-0${index + 1}`, count }))
  fakeService({ 'GET /admin/statistics': ok({ accounts: { active: 0, inactive: 0 }, sign_ins }) })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SignInsChart />
    </QueryClientProvider>,
  )
}

test('one sentence replaces a zero for each day without logins', async () => {
  open([0, 0, 0])
  await screen.findByText('No logins in the last 14 days.')
  expect(screen.queryByRole('list')).toBeNull()
})

test('shows each day as text and as a bar, whose height is its share of the busiest day', async () => {
  open([0, 12_000, 24_000])
  const days = await screen.findAllByRole('listitem')
  expect(days.map(({ textContent }) => textContent)).toEqual(['0Nov 1', '12KNov 2', '24KNov 3'])
  const heights = days.map((day) => day.querySelector<HTMLElement>('[style]')?.style.height)
  expect(heights).toEqual(['0%', '40%', '80%'])
})
