import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ConsentForm } from './consent-form.tsx'

test('sends the decision once on a double click, and another after a return', () => {
  render(<ConsentForm attempt={{ provider: { id: 'github', label: 'GitHub' }, id: 'one' }} users={[]} />)
  const form = screen.getByRole('button', { name: 'Cancel' }).closest('form')
  const goes = () => form !== null && fireEvent.submit(form)
  expect([goes(), goes()]).toEqual([true, false])
  fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }))
  expect(goes()).toBe(true)
})

test('proposes a known user for a login, and a new one to connect to an account', () => {
  const attempt = { provider: { id: 'github', label: 'GitHub' }, id: 'one' }
  const users = [{ id: 'demo-dee', name: 'Dee', email: 'dee@people.example.com', email_verified: true }]
  const chosen = () =>
    screen.getByRole<HTMLInputElement>('radio', { checked: true, name: /Dee|New user/ }).value
  const { unmount } = render(<ConsentForm attempt={attempt} users={users} />)
  expect(chosen()).toBe('demo-dee')
  unmount()
  document.cookie = 'user_jwt=a'
  render(<ConsentForm attempt={attempt} users={users} />)
  expect(chosen()).toBe('new')
  document.cookie = 'user_jwt=; Max-Age=0'
})
