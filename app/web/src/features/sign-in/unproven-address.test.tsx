import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { fakeService } from '../../testing/fake-service.ts'
import {
  ADA,
  bad,
  chooseFlowJson,
  loginFlowJson,
  ok,
  passedFlowJson,
  sentFlowJson,
  text,
} from '../../testing/flows.ts'
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
  expect(screen.queryByRole('button', { name: 'Get a new code' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Login' }))
  const offer = await screen.findByRole('button', { name: 'Get a new code' })
  expect(screen.getByText('Incorrect email or password.').closest('[role=alert]')).toBeTruthy()
  expect(offer.closest('[role=alert]')).toBeNull()
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
  expect(screen.queryByRole('button', { name: 'Get a new code' })).toBeNull()
  await userEvent.type(screen.getByLabelText('Email'), ADA)
  await userEvent.type(screen.getByLabelText('Password'), 'secret words{Enter}')
  await screen.findByText(/Try again in/)
  expect(screen.queryByRole('button', { name: 'Get a new code' })).toBeNull()
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

test('a user who opens a link in another browser reads what confirming there ends, and chooses a new password', async () => {
  fakeService({
    [read]: ok(sentFlowJson({ messages: [text(1080902, 'Confirming here removes its password.', 'info')] })),
    'POST /self-service/verification': ok(
      passedFlowJson({ id: 'verification-1', messages: [text(1080901, 'The password is removed.', 'info')] }),
    ),
  })
  renderApp('/verify?flow=verification-1')
  await userEvent.type(await screen.findByLabelText('Code'), '123456')
  const link = await screen.findByRole('link', { name: 'Choose a new password' })
  expect(link.getAttribute('href')).toBe('/recovery')
})
