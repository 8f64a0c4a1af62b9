import { fakeService } from '@ostiary/react/testing/fake-service'
import {
  ADA,
  ok,
  passedFlowJson,
  refused,
  registrationFlowJson,
  sentFlowJson,
  sessionJson,
  showVerification,
} from '@ostiary/react/testing/flows'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderApp } from '../../testing/render-app.tsx'

const session = sessionJson()
const { identity } = session

async function registerWith(continue_with: object[], state?: object) {
  const service = fakeService({
    'GET /sessions/whoami': [refused(401), ok(session)],
    'GET /self-service/registration/browser': ok(registrationFlowJson()),
    'POST /self-service/registration': ok({ session, identity, continue_with }),
    'GET /self-service/verification/flows': ok(sentFlowJson()),
    'POST /self-service/verification': ok(passedFlowJson({ id: 'verification-1' })),
    'GET /api/v1/account/deletion': ok({ due_at: null }),
    'GET /api/v1/account/devices': ok([]),
  })
  const app = renderApp('/register', state)
  await userEvent.type(await screen.findByLabelText('Email'), ADA)
  await userEvent.type(screen.getByLabelText('Password'), 'secret words')
  await userEvent.click(screen.getByRole('button', { name: 'Sign up' }))
  return { service, app }
}

const logout = () => within(screen.getByRole('banner')).findByRole('button', { name: 'Logout' })

test('a registration that logs in leads through the verification to the dashboard', async () => {
  const { app } = await registerWith([showVerification('verification-1')])
  await screen.findByRole('heading', { name: 'Verify your email' })
  expect(app.address()).toBe('/verify?flow=verification-1')
  await logout()
  await userEvent.type(screen.getByLabelText('Code'), '123456')
  await screen.findByRole('heading', { name: 'Email Verified!' })
  expect(screen.getByText('Your email address is confirmed.')).toBeTruthy()
  await userEvent.click(screen.getByRole('link', { name: 'Continue' }))
  await screen.findByRole('heading', { name: 'Dashboard Page' })
})

test('the verification continues to the page that the user wanted', async () => {
  await registerWith([showVerification('verification-1')], { after: '/settings/devices#here' })
  await userEvent.type(await screen.findByLabelText('Code'), '123456')
  const link = await screen.findByRole('link', { name: 'Continue' })
  expect(link.getAttribute('href')).toBe('/settings/devices#here')
})

test.each([
  ['the dashboard', undefined, '/dashboard'],
  ['the page that the user wanted', { after: '/settings/devices#here' }, '/settings/devices#here'],
])('a registration that logs in without a verification leads to %s', async (_, state, to) => {
  const { app } = await registerWith([{ action: 'redirect_browser_to', redirect_browser_to: '/' }], state)
  await waitFor(() => expect(app.address()).toBe(to))
  await logout()
})
