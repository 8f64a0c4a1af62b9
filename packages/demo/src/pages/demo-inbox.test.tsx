import { fakeService } from '@ostiary/react/testing/fake-service'
import { ok } from '@ostiary/react/testing/flows'
import { createQueryClient } from '@ostiary/ui/internal'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import * as product from '../../../../app.config.ts'
import { DemoInbox, EmailPreviews } from './demo-inbox.tsx'

const list = 'GET /demo/api/mails'

const mail = (more: object = {}) => ({
  id: 'mail-1',
  recipient: 'ada@example.com',
  subject: `123456 is your code for ${product.name}`,
  body: 'Your code is 123 456',
  template_type: 'verification_code_valid',
  created_at: '2030-01-01T10:00:00.000Z',
  html_url: '/demo/mails/mail-1',
  code: '123456',
  use_url: '/.ory/self-service/verification?code=123456&flow=x',
  ...more,
})

function openInbox(routes: Parameters<typeof fakeService>[0]) {
  const service = fakeService(routes)
  render(
    <QueryClientProvider client={createQueryClient()}>
      <DemoInbox />
    </QueryClientProvider>,
  )
  return () => act(async () => service.streams.announce())
}

test('opens the newest mail in a sandbox, with its text', async () => {
  const user = userEvent.setup()
  openInbox({ [list]: ok({ mails: [mail(), mail({ id: 'mail-2', subject: 'An older one' })] }) })
  const frame = await screen.findByTitle(/^Email: 123456/)
  expect(frame.getAttribute('src')).toBe('/demo/mails/mail-1?theme=light')
  expect(frame.getAttribute('sandbox')).not.toContain('allow-scripts')
  await user.click(screen.getByRole('radio', { name: 'Text' }))
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
  const newer = mail({ id: 'mail-3', subject: 'The newest', code: undefined })
  const announce = openInbox({
    [list]: [ok({ mails: [] }), ok({ mails: [mail()] }), ok({ mails: [newer, mail()] })],
  })
  await screen.findByText(/No email yet/)
  await announce()
  await userEvent.click(await screen.findByRole('button', { name: /123456 is your code/ }))
  await announce()
  await screen.findByRole('button', { name: /The newest/ })
  expect(screen.getByTitle(/^Email: 123456/)).toBeTruthy()
})

test('a server that does not respond is a sentence', async () => {
  openInbox({ [list]: 'no answer' })
  await screen.findByText(/Can’t reach the app/)
})

test('an empty inbox says that emails will appear', async () => {
  openInbox({ [list]: ok({ mails: [] }) })
  await screen.findByText('No email yet. The next one shows up here by itself.')
  expect(document.title).toBe(`Inbox · ${product.name}`)
})

test('previews a sample of each email, narrow and in the dark theme', async () => {
  const user = userEvent.setup()
  const sample = { ...mail({ code: undefined }), recipient: undefined, created_at: undefined }
  fakeService({ 'GET /demo/api/emails': ok({ mails: [sample] }) })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <EmailPreviews />
    </QueryClientProvider>,
  )
  const frame = await screen.findByTitle(/^Email: 123456/)
  expect(screen.getByRole('button', { name: /verification_code_valid/ })).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: '320 px' }))
  await user.click(screen.getByRole('radio', { name: 'Dark' }))
  expect(frame.className).toContain('w-80')
  expect(frame.getAttribute('src')).toBe('/demo/mails/mail-1?theme=dark')
})
