import { fakeService } from '@ostiary/react/testing/fake-service'
import {
  ADA,
  bad,
  chooseFlowJson,
  linkingFlowJson,
  loginFlowJson,
  ok,
  sentFlowJson,
  text,
} from '@ostiary/react/testing/flows'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { renderApp } from '../../testing/render-app.tsx'

const read = 'GET /self-service/verification/flows'
const login = 'POST /self-service/login'

test('a refused sign-in offers a new code to a user who has just registered, and keeps the address', async () => {
  const chosen = ok(chooseFlowJson({ id: 'verification-1' }))
  fakeService({
    'GET /self-service/login/browser': ok(loginFlowJson()),
    [login]: bad(loginFlowJson({ messages: [text(4000006, 'Incorrect email or password.')] })),
    'GET /self-service/verification/browser': chosen,
    [read]: chosen,
  })
  const { address } = renderApp('/login')
  await userEvent.type(await screen.findByLabelText('Email'), ADA)
  await userEvent.type(screen.getByLabelText('Password'), 'secret words')
  expect(screen.queryByRole('button', { name: 'get a new one' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Login' }))
  const offer = await screen.findByRole('button', { name: 'get a new one' })
  expect(screen.getByText('Incorrect email or password.').closest('[role=alert]')).toBeTruthy()
  expect(offer.closest('[role=alert]')).toBeNull()
  expect(offer.parentElement?.textContent).toBe(
    'Not verified yet? Check your email for a code, or get a new one.',
  )
  await userEvent.click(offer)
  await screen.findByRole('button', { name: 'Send me a code' })
  expect(address()).toBe('/verify?flow=verification-1')
  expect((screen.getByLabelText('Email') as HTMLInputElement).value).toBe(ADA)
})

test('a provider that failed, or a limit, offers no new code', async () => {
  const limit = { id: 4290001, text: 'Too many attempts.', type: 'error', context: { retry_after: 120 } }
  fakeService({
    'GET /self-service/login/browser': ok(loginFlowJson()),
    [login]: [
      bad(loginFlowJson({ messages: [text(4000001, 'GitHub does not answer.')] })),
      { status: 429, body: loginFlowJson({ messages: [limit] }) },
    ],
  })
  renderApp('/login')
  await userEvent.click(await screen.findByRole('button', { name: 'Sign in with GitHub' }))
  await screen.findByText('GitHub does not answer.')
  expect(screen.queryByRole('button', { name: 'get a new one' })).toBeNull()
  await userEvent.type(screen.getByLabelText('Email'), ADA)
  await userEvent.type(screen.getByLabelText('Password'), 'secret words{Enter}')
  await screen.findByText(/Try again in/)
  expect(screen.queryByRole('button', { name: 'get a new one' })).toBeNull()
})

test('a link of an email says what it does, and its button sends the token', async () => {
  const flow = sentFlowJson({ messages: [text(1050905, 'Restore ada@example.com?', 'info')] }) as {
    ui: { nodes: object[] }
  }
  const attributes = { node_type: 'input', name: 'token', type: 'hidden', value: 'abc', disabled: false }
  const token = { type: 'input', group: 'link', attributes, messages: [], meta: {} }
  fakeService({ [read]: ok({ ...flow, ui: { ...flow.ui, nodes: [...flow.ui.nodes, token] } }) })
  renderApp('/verify?flow=verification-1')
  const button = await screen.findByRole('button', { name: 'Restore my email' })
  expect(screen.getByText('Restore ada@example.com?')).toBeTruthy()
  expect(Object.fromEntries(new FormData(button.closest('form') ?? undefined))).toMatchObject({
    token: 'abc',
  })
})

test('a user who verifies in another browser logs in there with the password chosen at registration', async () => {
  const assign = vi.fn()
  fakeService({
    [read]: ok(sentFlowJson()),
    'POST /self-service/verification': {
      status: 422,
      body: { redirect_browser_to: 'http://localhost:3000/login?flow=login-7' },
    },
  })
  renderApp('/verify?flow=verification-1')
  const field = await screen.findByLabelText('Code')
  vi.stubGlobal('location', { ...location, href: location.href, assign })
  await userEvent.type(field, '123456')
  await waitFor(() => expect(assign).toHaveBeenCalledWith('http://localhost:3000/login?flow=login-7'))
})

test('a login that finishes a verification keeps its words after a wrong password, and offers a new one', async () => {
  const elsewhere = text(1010902, 'Registered in another browser.', 'info')
  const flow = (messages: ReturnType<typeof text>[]) => linkingFlowJson({ id: 'login-7', messages })
  fakeService({
    'GET /self-service/login/flows': ok(flow([elsewhere])),
    [login]: bad(flow([elsewhere, text(4000006, 'The password is wrong.')])),
  })
  renderApp('/login?flow=login-7')
  await screen.findByRole('heading', { name: 'One last step' })
  await userEvent.type(screen.getByLabelText('Password'), 'secret words{Enter}')
  await screen.findByText('The password is wrong.')
  expect(screen.getByRole('heading', { name: 'One last step' })).toBeTruthy()
  const link = screen.getByRole('link', { name: 'choose a new password' })
  expect(link.getAttribute('href')).toBe('/recovery')
})
