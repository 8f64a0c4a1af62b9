import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { z } from '../schema.ts'
import { LEAVING, useForm } from './use-form.ts'

test('a form that led to another page stays busy, and can be sent again once the back button restores it', async () => {
  let sent = 0
  function Page() {
    const form = useForm(z.object({}))
    const send = async () => {
      sent += 1
      return LEAVING
    }
    return (
      <form {...form.props(send)}>
        <button type="submit">{form.isSubmitting ? 'Sending' : 'Send'}</button>
      </form>
    )
  }
  render(<Page />)
  const show = (persisted: boolean) => fireEvent(window, Object.assign(new Event('pageshow'), { persisted }))
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  // The page itself had not loaded completely.
  show(false)
  await userEvent.click(await screen.findByRole('button', { name: 'Sending' }))
  expect(sent).toBe(1)
  show(true)
  await userEvent.click(await screen.findByRole('button', { name: 'Send' }))
  expect(sent).toBe(2)
})
