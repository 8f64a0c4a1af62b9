import { type Answer, fakeService } from '@ostiary/react/testing/fake-service'
import {
  ok,
  recoveredJson,
  sessionJson,
  settingsFlowJson,
  showVerification,
} from '@ostiary/react/testing/flows'
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderApp } from '../testing/render-app.tsx'

const saved = settingsFlowJson({ state: 'success' })

/** Opens another page while the settings are being sent, and then lets the service answer. */
async function leaveWhileSaving(
  address: string,
  session: object,
  label: string,
  typed: string,
  reply: object,
) {
  const late = Promise.withResolvers<Answer>()
  const save = 'POST /self-service/settings'
  const service = fakeService({
    'GET /sessions/whoami': ok(session),
    'GET /api/v1/account/session': ok({ recovering: false }),
    'GET /self-service/settings/browser': ok(settingsFlowJson()),
    [save]: () => late.promise,
  })
  const app = renderApp(address)
  if (address === '/settings')
    await userEvent.click(await screen.findByRole('button', { name: /Change email/ }))
  const field = await screen.findByLabelText(label)
  await userEvent.clear(field)
  await userEvent.type(field, `${typed}{Enter}`)
  await waitFor(() => expect(service.calls(save)).toHaveLength(1))
  await userEvent.click(screen.getAllByRole('link', { name: 'About' })[0]!)
  await screen.findByRole('heading', { name: 'About Us' })
  const checks = service.calls('GET /sessions/whoami').length
  await act(async () => late.resolve(ok(reply)))
  return { app, service, checks }
}

test('an email change whose page was left does not open the form for its code', async () => {
  const reply = { ...saved, continue_with: [showVerification('verification-1')] }
  const { app } = await leaveWhileSaving('/settings', sessionJson(), 'New email', 'new@example.com', reply)
  await waitFor(() => expect(localStorage.getItem('waiting-verification')).toBe('verification-1'))
  expect(app.address()).toBe('/about')
})

test('a new password whose page was left ends the recovery, and leads nowhere', async () => {
  const left = await leaveWhileSaving(
    '/recovery?step=password',
    recoveredJson(),
    'New password',
    'other quiet words',
    saved,
  )
  await waitFor(() => expect(left.service.calls('GET /sessions/whoami').length).toBeGreaterThan(left.checks))
  await act(async () => undefined)
  expect(left.app.address()).toBe('/about')
})
