import { fakeService } from '@ostiary/react/testing/fake-service'
import { ADA, loginFlowJson, ok, refused, sessionJson } from '@ostiary/react/testing/flows'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderApp } from '../../testing/render-app.tsx'

test('the provider used last is marked the next time', async () => {
  const service = fakeService({
    'GET /sessions/whoami': ok(
      sessionJson({ authentication_methods: [{ method: 'oidc', provider: 'google', aal: 'aal1' }] }),
    ),
    'GET /self-service/login/browser': ok(loginFlowJson()),
  })
  const { unmount } = renderApp('/')
  await screen.findByText('Logout')
  unmount()
  service.on('GET /sessions/whoami', refused(401))
  renderApp('/login')
  const button = await screen.findByRole('button', { name: 'Sign in with Google' })
  const mark = screen.getByText('Last used')
  expect(button.getAttribute('aria-describedby')).toBe(mark.id)
})

test.each(['not JSON', 'null'])('a login page opens although the storage of the tab has %s', async (text) => {
  sessionStorage.setItem('typed-addresses', text)
  fakeService({ 'GET /self-service/login/browser': ok(loginFlowJson()) })
  renderApp('/login')
  await userEvent.type(await screen.findByLabelText('Email'), ADA)
  await userEvent.tab()
  expect(JSON.parse(sessionStorage.getItem('typed-addresses') ?? '')).toEqual({ '/login': ADA })
})

test('a password used last is marked in the button of the form', async () => {
  localStorage.setItem('last-method', 'password')
  fakeService({ 'GET /self-service/login/browser': ok(loginFlowJson()) })
  renderApp('/login')
  const button = await screen.findByRole('button', { name: 'Login' })
  expect(button.contains(screen.getByText('Last used'))).toBe(true)
})

test('the address of the last login is filled in, and a shared computer can forget the login', async () => {
  const service = fakeService({
    'GET /sessions/whoami': ok(sessionJson()),
    'GET /self-service/login/browser': ok(loginFlowJson()),
  })
  const home = renderApp('/')
  await screen.findByText('Logout')
  home.unmount()
  service.on('GET /sessions/whoami', refused(401))
  const { unmount } = renderApp('/login')
  const email = await screen.findByLabelText<HTMLInputElement>('Email')
  expect(email.value).toBe(ADA)
  email.focus()
  await userEvent.tab()
  expect(document.activeElement).toBe(screen.getByLabelText('Password'))
  await userEvent.click(screen.getByRole('button', { name: 'Forget' }))
  expect(email.value).toBe('')
  expect(document.activeElement).toBe(email)
  expect(screen.getByText('This browser forgot the address.')).toBeTruthy()
  expect(screen.queryByText('Last used')).toBeNull()
  expect(Object.keys(localStorage).filter((key) => key.startsWith('last-'))).toEqual([])
  unmount()
  renderApp('/login')
  expect((await screen.findByLabelText<HTMLInputElement>('Email')).value).toBe('')
  expect(screen.queryByRole('button', { name: 'Forget' })).toBeNull()
})

test('what is typed already stays', async () => {
  localStorage.setItem('last-email', ADA)
  fakeService({ 'GET /self-service/login/browser': ok(loginFlowJson()) })
  renderApp('/login', { email: 'grace@example.com' })
  expect((await screen.findByLabelText<HTMLInputElement>('Email')).value).toBe('grace@example.com')
  await userEvent.click(screen.getByRole('button', { name: 'Forget' }))
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('grace@example.com')
})
