import { fakeService } from '@ostiary/react/testing/fake-service'
import { ADA, noEmailFlowJson, ok, refused, registrationFlowJson, text } from '@ostiary/react/testing/flows'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import { renderApp } from '../../testing/render-app.tsx'

const registration = 'POST /self-service/registration'
const read = 'GET /self-service/registration/flows'
const away = 'https://github.example/authorize'
const go = refused(422, 'browser_location_change_required', { redirect_browser_to: away })

function watchLeaving() {
  const assign = vi.fn()
  vi.stubGlobal('location', { ...location, href: location.href, assign })
  return assign
}

async function leaveWithAddress() {
  const assign = watchLeaving()
  const service = fakeService({
    'GET /self-service/registration/browser': ok(registrationFlowJson()),
    [registration]: go,
  })
  const { unmount } = renderApp('/register')
  await userEvent.type(await screen.findByLabelText('Email'), ADA)
  await userEvent.click(screen.getByRole('button', { name: 'Sign up with GitHub' }))
  await waitFor(() => expect(assign).toHaveBeenCalled())
  unmount()
  return service
}

describe('a user who typed an address before choosing a provider', () => {
  test('finds it again after cancelling there', async () => {
    const service = await leaveWithAddress()
    const messages = [text(4000001, 'GitHub: You did not agree.')]
    service.on(read, ok(registrationFlowJson({ id: 'registration-7', messages })))
    renderApp('/register?flow=registration-7')
    await screen.findByText('GitHub: You did not agree.')
    expect(screen.getByLabelText('Email')).toHaveProperty('value', ADA)
  })

  test('finds it again where the provider shared none', async () => {
    const service = await leaveWithAddress()
    service.on(read, ok(noEmailFlowJson({ id: 'registration-7' })))
    renderApp('/register?flow=registration-7')
    await screen.findByRole('heading', { name: 'One thing is missing' })
    expect(screen.getByLabelText('Email')).toHaveProperty('value', ADA)
  })

  test('gets back from an error of the provider, and finds it again', async () => {
    const service = await leaveWithAddress()
    const error = { code: 502, message: 'no', reason: 'GitHub could not be reached.' }
    service.on('GET /self-service/errors', ok({ id: 'error-1', error }))
    renderApp('/error?id=error-1')
    await screen.findByText('GitHub could not be reached.')
    await userEvent.click(screen.getByRole('link', { name: 'Try again' }))
    await screen.findByRole('heading', { name: 'Sign up' })
    expect(screen.getByLabelText('Email')).toHaveProperty('value', ADA)
  })
})

test('nonsense in the storage of the tab leaves the form usable', async () => {
  sessionStorage.setItem('left-form', '{nonsense')
  fakeService({ [read]: ok(registrationFlowJson({ id: 'registration-7' })) })
  renderApp('/register?flow=registration-7')
  expect(await screen.findByLabelText('Email')).toHaveProperty('value', '')
})

describe('a provider that does not disclose the address', () => {
  test('the user says it and goes through the provider once more', async () => {
    const assign = watchLeaving()
    const service = fakeService({ [read]: ok(noEmailFlowJson({ id: 'registration-7' })), [registration]: go })
    renderApp('/register?flow=registration-7')
    await screen.findByRole('heading', { name: 'One thing is missing' })
    await userEvent.click(screen.getByRole('button', { name: 'Continue with GitHub' }))
    await screen.findByText('Please enter a valid email address.')
    expect(service.calls(registration)).toEqual([])
    await userEvent.type(screen.getByLabelText('Email'), ` ${ADA} {Enter}`)
    await waitFor(() => expect(assign).toHaveBeenCalledWith(away))
    expect(service.calls(registration)[0]?.body).toMatchObject({
      method: 'oidc',
      provider: 'github',
      csrf_token: 'csrf-of-registration-7',
      traits: { email: ADA },
    })
  })

  const REQUIRED = text(4000002, 'Please fill in this field.')
  const TAKEN = text(4000007, 'This address is taken.')
  const INVALID = text(4000040, 'This is not an address.')

  test.each([
    ['no address', { fields: { 'traits.email': [REQUIRED] } }, 'did not share your email address', ''],
    [
      'no address and no name',
      { fields: { 'traits.email': [REQUIRED], 'traits.name': [REQUIRED] } },
      'did not share your email address',
      'Name: Please fill in this field.',
    ],
    [
      'an address and no name',
      { email: ADA, fields: { 'traits.name': [REQUIRED] } },
      'could not be created',
      'Name: Please fill in this field.',
    ],
    ['a taken address', { email: ADA, messages: [TAKEN] }, 'could not be created', TAKEN.text],
    [
      'an invalid address',
      { email: 'ada', fields: { 'traits.email': [INVALID] } },
      'could not be created',
      INVALID.text,
    ],
  ])('after %s the page gives the true reason', async (_cause, given, lead, error) => {
    fakeService({ [read]: ok(noEmailFlowJson({ id: 'registration-7', ...given })) })
    renderApp('/register?flow=registration-7')
    await screen.findByText(new RegExp(lead))
    expect(screen.getByRole('alert').textContent).toBe(error)
    if (lead !== 'did not share your email address') expect(screen.queryByText(/did not share/)).toBeNull()
  })

  test('an ordinary registration offers both providers', async () => {
    const assign = watchLeaving()
    const service = fakeService({
      'GET /self-service/registration/browser': ok(registrationFlowJson()),
      [registration]: go,
    })
    renderApp('/register')
    await userEvent.click(await screen.findByRole('button', { name: 'Sign up with Google' }))
    await waitFor(() => expect(assign).toHaveBeenCalledWith(away))
    expect(service.calls(registration)[0]?.body).toMatchObject({ method: 'oidc', provider: 'google' })
  })
})
