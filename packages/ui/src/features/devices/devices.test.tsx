import { fakeService } from '@ostiary/react/testing/fake-service'
import { loginFlowJson, ok, refused, sessionJson } from '@ostiary/react/testing/flows'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderApp } from '../../testing/render-app.tsx'

function openDevices(routes: Parameters<typeof fakeService>[0]) {
  const service = fakeService({ 'GET /sessions/whoami': ok(sessionJson()), ...routes })
  return { service, app: renderApp('/settings/devices') }
}

const devices = 'GET /api/v1/account/devices'
const here = {
  id: 'session-1',
  current: true,
  name: 'Firefox on Linux',
  kind: 'computer',
  method: 'password',
}
const phone = {
  id: 'session-2',
  current: false,
  name: 'Safari on iPhone',
  kind: 'phone',
  address: '192.0.2.7',
  signed_in_at: '2026-01-02T03:04:05Z',
  method: 'github',
}
const signOutPhone = async () => {
  await userEvent.click(await screen.findByRole('button', { name: 'Log out Safari on iPhone' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Log out' }))
}

test('lists this one first, with how and from where the others signed in', async () => {
  openDevices({ [devices]: ok([here, phone]) })
  await screen.findByText('Safari on iPhone', { selector: 'div' })
  const rows = within(screen.getByRole('region'))
    .getAllByRole('listitem')
    .map((row) => row.textContent)
  expect(rows[0]).toMatch(/^Firefox on Linux This deviceActive now/)
  expect(rows[1]).toMatch(/^Safari on iPhone Logged in .* with GitHub.*192\.0\.2\.7/)
})

test('ends one after asking in place', async () => {
  const end = 'DELETE /sessions/session-2'
  const { service } = openDevices({
    [devices]: [ok([here, phone]), ok([here])],
    [end]: { status: 204 },
  })
  await signOutPhone()
  await screen.findByText('That device is logged out.')
  expect(service.calls(end)).toHaveLength(1)
})

test('ends all others', async () => {
  const end = 'DELETE /sessions'
  const { service } = openDevices({
    [devices]: [ok([here, phone]), ok([here])],
    [end]: ok({ count: 1 }),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Log out everywhere else' }))
  await screen.findByText('One device has to log in again.')
  await userEvent.click(screen.getByRole('button', { name: 'Log out everywhere else' }))
  await screen.findByText('All other devices are logged out.')
  expect(service.calls(end)).toHaveLength(1)
})

test('counts the other devices, and shows many alike as one row that opens', async () => {
  const alike = Array.from({ length: 40 }, (_, n) => ({ ...phone, id: `phone-${n}` }))
  openDevices({ [devices]: ok([here, ...alike, { ...phone, id: 'tablet', name: 'Safari on iPad' }]) })
  await screen.findByText('41 other devices are logged in.')
  const rows = () => within(screen.getByRole('region')).getAllByRole('listitem')
  expect(rows()).toHaveLength(3)
  await userEvent.click(screen.getByRole('button', { name: 'Show 39 more like this Safari on iPhone' }))
  expect(rows()).toHaveLength(42)
  expect(screen.queryByRole('button', { name: /more like this/ })).toBeNull()
})

test('says when ending did not work, and leaves the device in the list', async () => {
  openDevices({ [devices]: ok([here, phone]), 'DELETE /sessions/session-2': 'no answer' })
  await signOutPhone()
  await screen.findByText(/That didn’t work/)
  expect(screen.getByText('Safari on iPhone', { selector: 'div' })).toBeTruthy()
})

test('says when the list does not come, with a way to try again', async () => {
  openDevices({ [devices]: ['no answer', ok([here, phone])] })
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
  await screen.findByText('Safari on iPhone', { selector: 'div' })
})

test('a session that was ended elsewhere leads to the sign-in, not to a list that cannot come', async () => {
  const { service, app } = openDevices({
    [devices]: refused(401),
    'GET /self-service/login/browser': ok(loginFlowJson()),
  })
  service.on('GET /sessions/whoami', [ok(sessionJson()), refused(401)])
  await waitFor(() => expect(app.address()).toBe('/login'))
})
