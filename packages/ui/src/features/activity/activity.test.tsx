import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ActivityRows } from './activity-row.tsx'

const minutes = (count: number) => new Date(Date.parse('2026-03-01T10:00:00Z') + count * 60_000).toISOString()

const PHONE = { client_address: '203.0.113.7' }
const LOOPBACK = {}

function event(
  outcome: 'ok' | 'refused',
  at: number,
  from: { client_address?: string; method?: string } = PHONE,
) {
  const device = 'Safari on iPhone'
  return {
    id: `${at}`,
    event: 'sign_in',
    outcome,
    method: 'password',
    device,
    ...from,
    created_at: minutes(at),
  }
}

const alarms = () =>
  screen.getAllByRole('listitem').map((row) => row.querySelector('svg.text-danger') !== null)

test.each([
  ['', PHONE],
  [', also on loopback', LOOPBACK],
])('a mistyped password raises no alarm if the same device logs in soon after%s', (_, from) => {
  const events = [event('ok', 2, from), event('refused', 1, from), event('refused', 0, from)]
  render(<ActivityRows events={events} />)
  expect(alarms()).toEqual([false, false, false])
})

test.each([
  ['no login follows it', []],
  ['a login from another address follows it', [event('ok', 2, { client_address: '198.51.100.1' })]],
  ['the login follows much later', [event('ok', 60)]],
])('a refused login is an alarm if %s', (_, later) => {
  render(<ActivityRows events={[...later, event('refused', 0)]} />)
  expect(alarms().at(-1)).toBe(true)
})

test('a login is described with the article of its method', () => {
  render(<ActivityRows events={[event('ok', 2, { method: 'totp' }), event('ok', 1), event('refused', 0)]} />)
  expect(screen.getByText('Second step done with an authenticator app')).toBeTruthy()
  expect(screen.getByText('Logged in with a password')).toBeTruthy()
  expect(screen.getByText('Failed login with a password')).toBeTruthy()
})
