import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import * as product from '../../../../app.config.ts'
import { createQueryClient } from '../api/query-client.ts'
import { fakeService } from '../testing/fake-service.ts'
import { ok } from '../testing/flows.ts'
import { DemoInbox } from './demo-inbox.tsx'

const list = 'GET /demo/api/mails'

const mail = (more: object = {}) => ({
  id: 'mail-1',
  recipient: 'ada@example.com',
  subject: `123456 is your code for ${product.name}`,
  body: 'Your code is 123 456',
  template_type: 'verification_code_valid',
  created_at: '2030-01-01T10:00:00.000Z',
  code: '123456',
  use_url: '/.ory/self-service/verification?code=123456&flow=x',
  ...more,
})

function openInbox(routes: Parameters<typeof fakeService>[0]) {
  fakeService(routes)
  render(
    <QueryClientProvider client={createQueryClient()}>
      <DemoInbox />
    </QueryClientProvider>,
  )
}

test('opens the newest mail in a sandbox, with its text part', async () => {
  openInbox({ [list]: ok({ mails: [mail(), mail({ id: 'mail-2', subject: 'An older one' })] }) })
  const frame = await screen.findByTitle(/^Email: 123456/)
  expect(frame.getAttribute('src')).toBe('/demo/mails/mail-1')
  expect(frame.getAttribute('sandbox')).not.toContain('allow-scripts')
  expect(screen.getByText('Your code is 123 456')).toBeTruthy()
})

test('the code can be copied or used', async () => {
  const user = userEvent.setup()
  openInbox({ [list]: ok({ mails: [mail()] }) })
  await user.click(await screen.findByRole('button', { name: 'Copy 123456' }))
  await screen.findByText('Copied')
  expect(await navigator.clipboard.readText()).toBe('123456')
  expect(screen.getByRole('link', { name: 'Use the code' }).getAttribute('href')).toContain('code=123456')
})

test('shows new mail automatically and keeps the chosen one open', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const newer = mail({ id: 'mail-3', subject: 'The newest', code: undefined })
  openInbox({ [list]: [ok({ mails: [] }), ok({ mails: [mail()] }), ok({ mails: [newer, mail()] })] })
  await screen.findByText(/No email yet/)
  await act(() => vi.advanceTimersByTimeAsync(2100))
  await userEvent.click(await screen.findByRole('button', { name: /123456 is your code/ }))
  await act(() => vi.advanceTimersByTimeAsync(2100))
  await screen.findByRole('button', { name: /The newest/ })
  expect(screen.getByTitle(/^Email: 123456/)).toBeTruthy()
})

test('emails that were not opened are marked, also after a reload', async () => {
  const mails = [mail(), mail({ id: 'mail-2', subject: 'An older one', code: undefined })]
  openInbox({ [list]: ok({ mails }) })
  await screen.findByRole('button', { name: /Unread An older one/ })
  expect(screen.getByRole('button', { name: /123456 is your code/ }).textContent).not.toContain('Unread')
  await userEvent.click(screen.getByRole('button', { name: /An older one/ }))
  cleanup()
  openInbox({ [list]: ok({ mails }) })
  await screen.findByRole('button', { name: /An older one/ })
  expect(screen.queryByText(/Unread/)).toBeNull()
})

test('shows the emails of one recipient', async () => {
  const other = mail({ id: 'mail-2', recipient: 'bo@example.com', subject: 'For Bo', code: undefined })
  openInbox({ [list]: ok({ mails: [mail(), other] }) })
  await userEvent.selectOptions(await screen.findByLabelText('To'), 'bo@example.com')
  expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('For Bo')
  expect(screen.queryByRole('button', { name: /123456 is your code/ })).toBeNull()
})

test('can be cleared, and shows what comes later', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const later = mail({ id: 'mail-2', subject: 'A later one', created_at: '2030-01-01T10:00:01.000Z' })
  openInbox({ [list]: [ok({ mails: [mail()] }), ok({ mails: [later, mail()] })] })
  await userEvent.click(await screen.findByRole('button', { name: 'Clear' }))
  await screen.findByText(/No email yet/)
  await act(() => vi.advanceTimersByTimeAsync(2100))
  await screen.findByRole('button', { name: /A later one/ })
  expect(screen.queryByRole('button', { name: /123456 is your code/ })).toBeNull()
})

test('a server that does not respond is a sentence', async () => {
  openInbox({ [list]: 'no answer' })
  await screen.findByText(/Can’t reach the app/)
})

test('an empty inbox says that emails will appear', async () => {
  openInbox({ [list]: ok({ mails: [] }) })
  await screen.findByText('No email yet. The next one shows up here by itself.')
})
