import { fakeService } from '@ostiary/react/testing/fake-service'
import { ADA, chooseFlowJson, ok, sessionJson, text } from '@ostiary/react/testing/flows'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderApp } from '../../testing/render-app.tsx'

function openAs(
  address: { value: string; verified: boolean },
  path: string,
  messages: ReturnType<typeof text>[] = [],
) {
  const { identity } = sessionJson()
  fakeService({
    'GET /sessions/whoami': ok(sessionJson({ identity: { ...identity, verifiable_addresses: [address] } })),
    'GET /self-service/verification/flows': ok(chooseFlowJson({ messages })),
  })
  renderApp(path)
}

const FORM = '/verify?flow=verification-1'

test('shows a user with a verified address that it is verified', async () => {
  openAs({ value: ADA, verified: true }, FORM)
  await screen.findByRole('heading', { name: 'Email Verified!' })
  expect(screen.getByRole('link', { name: 'Continue' }).getAttribute('href')).toBe('/dashboard')
  expect(screen.queryByLabelText('Email')).toBeNull()
})

test.each([
  ['the address is not verified', { value: ADA, verified: false }, []],
  ['another is', { value: 'other@example.com', verified: true }, []],
  ['the form has a message', { value: ADA, verified: true }, [text(4000001, 'Not this one.')]],
])('asks for the address if %s', async (_, address, messages) => {
  openAs(address, FORM, messages)
  await screen.findByLabelText('Email')
})

test('shows on the home page that the address is verified, without a flow', async () => {
  openAs({ value: ADA, verified: true }, '/verify')
  await screen.findByText('Your email address is verified.')
  expect(screen.queryByRole('link', { name: 'Get a new code' })).toBeNull()
})
