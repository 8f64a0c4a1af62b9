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
