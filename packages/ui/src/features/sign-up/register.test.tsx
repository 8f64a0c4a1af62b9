import { fakeService } from '@ostiary/react/testing/fake-service'
import {
  ADA,
  bad,
  loginFlowJson,
  ok,
  refused,
  registrationFlowJson,
  sentFlowJson,
  showVerification,
  text,
} from '@ostiary/react/testing/flows'
import { takeErrors } from '@ostiary/react/testing/setup'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import * as product from '../../../../../app.config.ts'
import { setProduct } from '../../product.ts'
import { renderApp } from '../../testing/render-app.tsx'

const create = 'GET /self-service/registration/browser'
const submit = 'POST /self-service/registration'
const identity = { id: 'identity-1', schema_id: 'default', schema_url: 'x', traits: { email: ADA } }

async function openRegister(routes: Parameters<typeof fakeService>[0] = {}) {
  const service = fakeService({ [create]: ok(registrationFlowJson()), ...routes })
  const app = renderApp('/register')
  const email = (await screen.findByLabelText('Email')) as HTMLInputElement
  const password = screen.getByLabelText('Password') as HTMLInputElement
  return { service, app, email, password }
}

async function register(email = ADA, password = 'secret words') {
  await userEvent.type(screen.getByLabelText('Email'), email)
  await userEvent.type(screen.getByLabelText('Password'), password)
  await userEvent.click(screen.getByRole('button', { name: 'Sign up' }))
}

test('the form asks for an address and a new password, and links to the login', async () => {
  const { email, password } = await openRegister()
  expect(email.autocomplete).toBe('username')
  expect(password.autocomplete).toBe('new-password')
  expect(within(screen.getByRole('main')).getByRole('link', { name: 'Login' }).getAttribute('href')).toBe(
    '/login',
  )
  expect(screen.getByText(/At least 6 characters\./)).toBeTruthy()
})

test.each([
  ['not-an-address', 'secret words', 'Please enter a valid email address.'],
  [ADA, '12345', 'Password must be at least 6 characters.'],
  // Five users of two code units each are still five characters.
  [ADA, '👩👩👩👩👩', 'Password must be at least 6 characters.'],
])('%s with %s: %s', async (email, password, message) => {
  const { service } = await openRegister()
  await register(email, password)
  expect(await screen.findByText(message)).toBeTruthy()
  expect(service.calls(submit)).toEqual([])
})

test('the product sets the length of a password', async () => {
  setProduct({ ...product, password: { minLength: 10 } })
  try {
    await openRegister()
    expect(screen.getByText(/At least 10 characters\./)).toBeTruthy()
    await register(ADA, 'nine char')
    expect(await screen.findByText('Password must be at least 10 characters.')).toBeTruthy()
  } finally {
    setProduct(product)
  }
})

test('nothing is criticised before the first attempt, and a corrected field is checked at once', async () => {
  const { email, password } = await openRegister()
  await userEvent.type(password, '123')
  await userEvent.type(email, 'ada')
  await userEvent.tab()
  expect(screen.queryByText('Please enter a valid email address.')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Sign up' }))
  await screen.findByText('Please enter a valid email address.')
  await userEvent.type(email, '@example.com')
  await waitFor(() => expect(screen.queryByText('Please enter a valid email address.')).toBeNull())
})

test('while one field is corrected, another that was right is not criticised', async () => {
  const { email, password } = await openRegister()
  await register('ada', 'secret words')
  await screen.findByText('Please enter a valid email address.')
  await userEvent.clear(password)
  await userEvent.type(password, 'o')
  expect(screen.queryByText('Password must be at least 6 characters.')).toBeNull()
  expect(email.getAttribute('aria-invalid')).toBe('true')
})

test('a typed address goes along to the sign-in, and back', async () => {
  const { email } = await openRegister({ 'GET /self-service/login/browser': ok(loginFlowJson()) })
  await userEvent.type(email, ADA)
  await userEvent.click(within(screen.getByRole('main')).getByRole('link', { name: 'Login' }))
  await screen.findByRole('button', { name: 'Login' })
  expect((screen.getByLabelText('Email') as HTMLInputElement).value).toBe(ADA)
  await userEvent.click(screen.getByRole('link', { name: 'Sign up' }))
  await screen.findByRole('button', { name: 'Sign up' })
  expect((screen.getByLabelText('Email') as HTMLInputElement).value).toBe(ADA)
})

test('leads from a registration to the verification of the address', async () => {
  const continue_with = [
    { action: 'redirect_browser_to', redirect_browser_to: '/' },
    showVerification('verification-1'),
  ]
  const { service, app } = await openRegister({
    [submit]: ok({ identity, continue_with }),
    'GET /self-service/verification/flows': ok(sentFlowJson()),
  })
  await register()
  await screen.findByRole('heading', { name: 'Verify your email' })
  expect(app.address()).toBe('/verify?flow=verification-1')
  expect(service.calls(submit)[0]?.body).toEqual({
    method: 'password',
    csrf_token: 'csrf-of-registration-1',
    password: 'secret words',
    traits: { email: ADA },
  })
})

test.each([
  ['no continue_with', null],
  ['another action', [{ action: 'redirect_browser_to', redirect_browser_to: '/' }]],
  ['no URL', [{ action: 'show_verification_ui', flow: { id: 'verification-1', verifiable_address: ADA } }]],
])('a success with %s fails: nothing leads to the verification', async (_, continue_with) => {
  await openRegister({ [submit]: ok({ identity, continue_with }) })
  await register()
  await screen.findByText('Registration failed')
  expect(takeErrors()).toHaveLength(1)
})

test('a form without csrf_token shows the sentence of the specification', async () => {
  await openRegister({ [create]: ok(registrationFlowJson({ csrf: false })) })
  await register()
  await screen.findByText('CSRF token could not be found in the UI nodes')
})

test('shows flow messages above the button and field messages below the field, and keeps what was typed', async () => {
  const messages = [text(4000007, 'This address is taken.'), text(4000001, 'And another thing.')]
  const fields = { password: [text(4000034, 'This password is known to thieves.')] }
  const { email, password } = await openRegister({
    [submit]: bad(registrationFlowJson({ messages, fields })),
  })
  await register()
  const root = await screen.findByText(/This address is taken/)
  expect(root.textContent).toBe('This address is taken.\nAnd another thing.')
  const described = password.getAttribute('aria-describedby') ?? ''
  const words = described.split(' ').map((id) => document.getElementById(id)?.textContent)
  expect(words).toEqual(['This password is known to thieves.', expect.stringMatching(/./)])
  // The advice is needed most now.
  const advice = document.getElementById(described.split(' ')[1] ?? '')
  expect(advice?.className).not.toContain('invisible')
  expect([email.value, password.value]).toEqual([ADA, 'secret words'])
})

test.each([400, 401, 403, 429])(
  'any other refusal (%i) says that the registration failed',
  async (status) => {
    await openRegister({ [submit]: refused(status) })
    await register()
    await screen.findByText('Registration failed')
  },
)

test('no response: the form says so and keeps everything typed', async () => {
  const { email, password } = await openRegister({ [submit]: 'no answer' })
  await register()
  await screen.findByText(/Your entries stay here/)
  expect([email.value, password.value]).toEqual([ADA, 'secret words'])
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
})

const REFUSALS = {
  'an invalid address': [
    bad(registrationFlowJson({ fields: { 'traits.email': [text(4000040, 'This is not an address.')] } })),
    'This is not an address.',
  ],
  'a missing name': [
    bad(registrationFlowJson({ fields: { 'traits.name': [text(4000002, 'Please fill in this field.')] } })),
    'Name: Please fill in this field.',
  ],
  'a taken address': [
    bad(registrationFlowJson({ messages: [text(4000007, 'This address is taken.')] })),
    'This address is taken.',
  ],
  'too many attempts': [
    { status: 429, body: registrationFlowJson({ messages: [text(4290001, 'Too many attempts.')] }) },
    'Too many attempts.',
  ],
  'an error of the service': [refused(500), /reach the login service right now/],
  'a busy service': [refused(503), /reach the login service right now/],
  'a full disk': [refused(507), /reach the login service right now/],
  'no network': ['no answer', /reach the login service right now/],
} as const

test.each(Object.entries(REFUSALS))(
  'a registration refused for %s says so',
  async (_cause, [answer, words]) => {
    await openRegister({ [submit]: answer })
    await register()
    await screen.findByText(words)
    expect(screen.queryByText('Registration failed')).toBeNull()
  },
)

test('describes the strength of a password', async () => {
  const { password } = await openRegister()
  await userEvent.type(password, 'aaaaaa')
  expect(screen.getByText(/Strength: weak/)).toBeTruthy()
  await userEvent.type(password, ' long words in a row')
  expect(screen.getByText(/Strength: strong/)).toBeTruthy()
})
