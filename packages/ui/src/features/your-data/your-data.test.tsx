import { fakeService } from '@ostiary/react/testing/fake-service'
import { loginFlowJson, ok, refused, sessionJson } from '@ostiary/react/testing/flows'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { renderApp, waitForFocus } from '../../testing/render-app.tsx'
import { writeSettings } from '../../testing/setup.ts'
import * as files from '../../ui/save-file.ts'
import { passkeyOfferTexts } from '../passkey-offer/texts.ts'

const deletion = '/api/v1/account/deletion'
const DUE = '2031-03-14T09:00:00.000Z'

function open(address: string, routes: Parameters<typeof fakeService>[0]) {
  const service = fakeService({
    'GET /sessions/whoami': ok(sessionJson()),
    [`GET ${deletion}`]: ok({ due_at: null }),
    ...routes,
  })
  return { service, app: renderApp(address) }
}

test('an old session confirms who they are, and the download continues', async () => {
  const save = vi.spyOn(files, 'saveFile').mockImplementation(() => {})
  open('/settings/data', {
    'GET /api/v1/account/export': [refused(403), ok({ identity: {} })],
    'GET /self-service/login/browser': ok({ ...loginFlowJson(), refresh: true }),
    'POST /self-service/login': ok({ session: sessionJson() }),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Download JSON' }))
  const dialog = await screen.findByRole('dialog', { name: 'Confirm it’s you' })
  await userEvent.type(await within(dialog).findByLabelText('Password'), 'secret words{Enter}')
  await screen.findByText('Your data is downloaded.')
  expect(save).toHaveBeenCalledOnce()
})

test('a download that was asked for before confirming at a provider begins on the way back, once', async () => {
  const save = vi.spyOn(files, 'saveFile').mockImplementation(() => {})
  sessionStorage.setItem('export-asked', 'asked')
  const { service } = open('/settings/data', { 'GET /api/v1/account/export': ok({ identity: {} }) })
  await screen.findByText('Your data is downloaded.')
  expect(save).toHaveBeenCalledOnce()
  expect(service.calls('GET /api/v1/account/export')).toHaveLength(1)
  expect(sessionStorage.getItem('export-asked')).toBeNull()
})

test('the deletion is as quiet as the download until it is asked for, and then says how long it can be taken back', async () => {
  writeSettings({ deletion_days: 30 })
  open('/settings/data', {})
  const button = await screen.findByRole('button', { name: 'Delete account' })
  expect(button.className).toBe(screen.getByRole('button', { name: 'Download JSON' }).className)
  await userEvent.click(button)
  await screen.findByText('Changed your mind? Log in within 30 days and choose Keep my account.')
})

test('Escape closes the question and returns the focus to the button that opened it', async () => {
  open('/settings/data', {})
  await userEvent.click(await screen.findByRole('button', { name: 'Delete account' }))
  await screen.findByText('Delete your account?')
  await userEvent.keyboard('{Escape}')
  await waitForFocus(await screen.findByRole('button', { name: 'Delete account' }))
  expect(screen.queryByText('Delete your account?')).toBeNull()
})

test.each(['/dashboard', '/settings/data'])(
  'SEC-74: at %s a user whose account will be deleted can keep it',
  async (address) => {
    const { service } = open(address, {
      [`GET ${deletion}`]: ok({ due_at: DUE }),
      [`DELETE ${deletion}`]: [refused(500), { status: 204 }],
    })
    await screen.findByText(/^It will be deleted on .*2031/)
    expect(service.calls(`DELETE ${deletion}`)).toEqual([])
    const keep = () => userEvent.click(screen.getByRole('button', { name: 'Keep my account' }))
    await keep()
    await screen.findByText('no')
    await keep()
    await screen.findByText(/^Your account stays\./)
    expect(screen.queryByText(/^It will be deleted/)).toBeNull()
  },
)

test('a user whose account will be deleted is offered no passkey, not even after deciding later', async () => {
  vi.stubGlobal('PublicKeyCredential', class {})
  const { service } = open('/dashboard', { [`GET ${deletion}`]: ok({ due_at: DUE }) })
  await userEvent.click(await screen.findByRole('button', { name: 'Decide later' }))
  expect(screen.queryByText(passkeyOfferTexts.heading)).toBeNull()
  expect(service.calls(`DELETE ${deletion}`)).toEqual([])
})

test('a user who decides later is not asked again on this visit', async () => {
  open('/settings/data', { [`GET ${deletion}`]: ok({ due_at: DUE }) })
  await userEvent.click(await screen.findByRole('button', { name: 'Decide later' }))
  expect(screen.queryByText('Keep your account?')).toBeNull()
  await userEvent.click(screen.getByRole('link', { name: 'Activity' }))
  await screen.findByRole('heading', { name: 'Activity' })
  await waitFor(() => expect(screen.queryByText('Keep your account?')).toBeNull())
})
