import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { Button } from '../button.tsx'
import { CheckboxField } from './choice-fields.tsx'
import { Field } from './fields.tsx'
import { FormError } from './form-error.tsx'
import { z } from './schema.ts'
import { LEAVING, rejectForm, useForm } from './use-form.ts'

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
  show(false)
  await userEvent.click(await screen.findByRole('button', { name: 'Sending' }))
  expect(sent).toBe(1)
  show(true)
  await userEvent.click(await screen.findByRole('button', { name: 'Send' }))
  expect(sent).toBe(2)
})

test('an error keeps its place until the next answer, which replaces it or leaves none', async () => {
  const answers: PromiseWithResolvers<string | undefined>[] = []
  function Page() {
    const form = useForm(z.object({}))
    const send = async () => {
      const answer = Promise.withResolvers<string | undefined>()
      answers.push(answer)
      const problem = await answer.promise
      if (problem) form.fail(problem)
    }
    return (
      <form {...form.props(send)} aria-label="form">
        <FormError>{form.failure?.message}</FormError>
        <Button type="submit">Send</Button>
      </form>
    )
  }
  render(<Page />)
  const form = screen.getByRole('form')
  const send = () => userEvent.click(screen.getByRole('button', { name: 'Send' }))
  await send()
  answers[0]?.resolve('Wrong once.')
  await screen.findByText('Wrong once.')
  await send()
  expect(form.dataset.busy).toBe('true')
  expect(screen.getByText('Wrong once.')).toBeTruthy()
  answers[1]?.resolve('Wrong twice.')
  await screen.findByText('Wrong twice.')
  expect(screen.queryByText('Wrong once.')).toBeNull()
  expect(form.dataset.busy).toBeUndefined()
  await send()
  answers[2]?.resolve(undefined)
  await waitFor(() => expect(screen.queryByText('Wrong twice.')).toBeNull())
})

test.each([true, false])(
  'once the browser is online again, an error stays unless a retry helps (%s)',
  async (canRetry) => {
    function Page() {
      const form = useForm(z.object({}))
      return (
        <form {...form.props(async () => form.fail('Unreachable', canRetry))}>
          <FormError>{form.failure?.message}</FormError>
          <Button type="submit">Send</Button>
        </form>
      )
    }
    render(<Page />)
    await userEvent.click(screen.getByRole('button', { name: 'Send' }))
    await screen.findByText('Unreachable')
    fireEvent(window, new Event('online'))
    expect(screen.queryByText('Unreachable') === null).toBe(canRetry)
  },
)

test('a failed call is shown at the wrong fields of the form, or else above them', async () => {
  const message = 'The input is not valid'
  const failures = [
    { message, fields: { url: 'Please enter a link', 'owner.id': 'Unknown' } },
    { message, fields: { owner: 'Unknown' } },
    { message },
  ]
  function Page() {
    const form = useForm(z.object({ url: z.string() }))
    const send = async () => rejectForm(form, failures.shift() ?? { message: '' })
    return (
      <form {...form.props(send)}>
        <FormError>{form.failure?.message}</FormError>
        <Field {...form.field('url')} label="Link" />
        <Button type="submit">Send</Button>
      </form>
    )
  }
  render(<Page />)
  const send = () => userEvent.click(screen.getByRole('button', { name: 'Send' }))
  const field = screen.getByLabelText('Link')
  await send()
  expect(await screen.findByText('Please enter a link')).toBeTruthy()
  expect(field.getAttribute('aria-invalid')).toBe('true')
  await waitFor(() => expect(document.activeElement).toBe(field))
  expect(screen.queryByText(message)).toBeNull()
  for (const _ of [1, 2]) {
    await send()
    expect(await screen.findByText(message)).toBeTruthy()
    expect(field.getAttribute('aria-invalid')).toBeNull()
  }
})

test('several wrong fields without a summary focus the first on the screen, also an empty box', async () => {
  function Page() {
    const form = useForm(z.object({ agree: z.optional(z.string()) }))
    const send = async () => rejectForm(form, { message: '', fields: { note: 'No', agree: 'No' } })
    return (
      <form {...form.props(send)}>
        <CheckboxField {...form.field('agree')} label="I agree" />
        <textarea name="note" />
        <Button type="submit">Send</Button>
      </form>
    )
  }
  render(<Page />)
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('I agree')))
})

test('a field of several lines and a box show their errors, and lose them once they are right', async () => {
  const box = z.literal('on', 'Please agree')
  const note = z.string().check(z.minLength(3, 'Please write more'))
  function Page() {
    const form = useForm(z.object({ note, agree: box }))
    return (
      <form {...form.props(async () => form.write('note', ''))}>
        <Field {...form.field('note')} label="Note" rows={4} />
        <CheckboxField {...form.field('agree')} label="I agree" />
        <Button type="submit" disabled={form.texts.agree !== 'on'}>
          Send
        </Button>
      </form>
    )
  }
  render(<Page />)
  const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Send' })
  const agree = screen.getByLabelText('I agree')
  const text = screen.getByLabelText<HTMLTextAreaElement>('Note')
  await userEvent.click(agree)
  expect(button().disabled).toBe(false)
  await userEvent.click(agree)
  expect(button().disabled).toBe(true)
  await userEvent.click(agree)
  await userEvent.click(button())
  await screen.findByText('Please write more')
  expect(document.activeElement).toBe(text)
  await userEvent.keyboard('one{Enter}two')
  await waitFor(() => expect(screen.queryByText('Please write more')).toBeNull())
  expect(text.value).toBe('one\ntwo')
  await userEvent.click(button())
  await waitFor(() => expect(text.value).toBe(''))
})

test('a form takes the schema of any library, whose values need not be text', async () => {
  const sent: { seats: number }[] = []
  const issues = [{ message: 'Please enter a number', path: [{ key: 'seats' }] }]
  function validate(texts: unknown): { value: { seats: number } } | { issues: typeof issues } {
    const seats = Number((texts as { seats: string }).seats)
    return Number.isNaN(seats) ? { issues } : { value: { seats } }
  }
  function Page() {
    const form = useForm({ '~standard': { validate } })
    return (
      <form {...form.props(async (values) => sent.push(values))}>
        <Field {...form.field('seats')} label="Seats" />
        <Button type="submit">Send</Button>
      </form>
    )
  }
  render(<Page />)
  await userEvent.type(screen.getByLabelText('Seats'), 'two{Enter}')
  expect(await screen.findByText('Please enter a number')).toBeTruthy()
  await userEvent.clear(screen.getByLabelText('Seats'))
  await userEvent.type(screen.getByLabelText('Seats'), '2{Enter}')
  await waitFor(() => expect(sent).toEqual([{ seats: 2 }]))
})
