import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { FormError } from './form-error.tsx'

afterEach(() => vi.useRealTimers())

test('a refusal that says how long to wait has a clock that runs, and is announced once', () => {
  vi.useFakeTimers()
  render(<FormError>{{ text: 'Zu viele Versuche.', retry_after: 120 }}</FormError>)
  const alert = screen.getByRole('alert')
  expect(alert.textContent).toContain('Zu viele Versuche.')
  expect(alert.textContent).toContain('Try again in 2:00.')
  act(() => vi.advanceTimersByTime(61_000))
  expect(alert.textContent).toContain('Try again in 0:59.')
  act(() => vi.advanceTimersByTime(60_000))
  expect(alert.textContent).toContain('You can try again now.')
})

test('any other sentence stands as it is', () => {
  render(<FormError>Incorrect email or password.</FormError>)
  expect(screen.getByRole('alert').textContent).toBe('Incorrect email or password.')
})
