import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fakeService } from '../../testing/fake-service.ts'
import { loginFlowJson, ok, refused, sessionJson } from '../../testing/flows.ts'
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

test('a password used last is marked in the button of the form', async () => {
  localStorage.setItem('last-method', 'password')
  fakeService({ 'GET /self-service/login/browser': ok(loginFlowJson()) })
  renderApp('/login')
  const button = await screen.findByRole('button', { name: 'Login' })
  expect(button.contains(screen.getByText('Last used'))).toBe(true)
})
