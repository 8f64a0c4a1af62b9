import { fakeService } from '@ostiary/react/testing/fake-service'
import {
  ADA,
  bad,
  noEmailFlowJson,
  ok,
  registrationFlowJson,
  sentFlowJson,
  sessionJson,
  settingsFlowJson,
  showVerification,
  text,
  traitNode,
} from '@ostiary/react/testing/flows'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, onTestFinished, test } from 'vitest'
import { product, setProduct } from '../../product.ts'
import { renderApp } from '../../testing/render-app.tsx'

const create = 'GET /self-service/registration/browser'
const read = 'GET /self-service/registration/flows'
const register = 'POST /self-service/registration'
const settings = 'GET /self-service/settings/browser'
const save = 'POST /self-service/settings'

const plans = [{ value: 'free' }, { value: 'team' }]
const traits = [
  traitNode('name', 'Name', { required: true }),
  traitNode('birthday', 'Birthday', { type: 'date' }),
  traitNode('plan', 'Plan', { required: true, options: plans }),
  traitNode('seats', 'Seats', { type: 'number', required: true }),
  traitNode('news', 'Send me news', { type: 'checkbox', required: true }),
]
const filled = { email: ADA, name: 'Ada', plan: 'team', seats: 3, news: true }

async function fillTraits() {
  await userEvent.type(await screen.findByLabelText('Name'), 'Ada')
  await userEvent.selectOptions(screen.getByLabelText('Plan'), 'team')
  await userEvent.type(screen.getByLabelText('Seats'), '3')
  await userEvent.click(screen.getByLabelText('Send me news'))
}

async function fillCredentials() {
  await userEvent.type(screen.getByLabelText('Email'), ADA)
  await userEvent.type(screen.getByLabelText('Password'), 'secret words')
}

const done = ok({ identity: sessionJson().identity, continue_with: [showVerification('verification-1')] })

describe('registration', () => {
  test('its fields are there before the flow, so that nothing moves, and keep what was typed', async () => {
    const usual = product()
    onTestFinished(() => setProduct(usual))
    setProduct({
      ...usual,
      requiredTraits: ['email', 'name', 'plan', 'seats', 'news', 'home'],
      traits: {
        ...usual.traits,
        name: { type: 'string', title: 'Name' },
        plan: { type: 'string', title: 'Plan', enum: ['free', 'team'] },
        seats: { type: 'integer', title: 'Seats' },
        news: { type: 'boolean', title: 'Send me news' },
        home: { type: 'object', title: 'Home' },
        nickname: { type: 'string', title: 'Nickname' },
      },
    })
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof ok>>()
    fakeService({ [create]: () => promise })
    renderApp('/register')
    await fillTraits()
    const fields = () => [...document.querySelectorAll('main form [name]')].map(({ outerHTML }) => outerHTML)
    const shown = fields()
    const late = traitNode('late', 'Late', { required: true })
    resolve(ok(registrationFlowJson({ traits: [...traits, late] })))
    await screen.findByLabelText('Late')
    expect(fields().filter((html) => !html.includes('traits.late'))).toEqual(shown)
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Ada')
  })

  test('asks for the required traits and sends them with their types', async () => {
    const service = fakeService({
      [create]: ok(registrationFlowJson({ traits })),
      [register]: done,
      'GET /self-service/verification/flows': ok(sentFlowJson()),
    })
    renderApp('/register')
    await fillTraits()
    expect(screen.queryByLabelText('Birthday')).toBeNull()
    await fillCredentials()
    await userEvent.click(screen.getByRole('button', { name: 'Sign up' }))
    await screen.findByRole('heading', { name: 'Verify your email' })
    expect(service.calls(register)[0]?.body).toMatchObject({ method: 'password', traits: filled })
  })

  test('omits what is empty, and says below each field what is wrong', async () => {
    const messages = [text(4000002, 'Please fill in this field.')]
    const fields = { 'traits.name': messages, 'traits.plan': messages }
    const service = fakeService({
      [create]: ok(registrationFlowJson({ traits })),
      [register]: bad(registrationFlowJson({ traits, fields })),
    })
    renderApp('/register')
    const name = await screen.findByLabelText('Name')
    await fillCredentials()
    await userEvent.click(screen.getByRole('button', { name: 'Sign up' }))
    const summary = await screen.findByRole('region', { name: '2 fields to correct:' })
    expect(
      within(summary)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['Name', 'Plan'])
    expect(service.calls(register)[0]?.body).toMatchObject({ traits: { email: ADA, news: false } })
    expect(name.getAttribute('aria-invalid')).toBe('true')
    await userEvent.selectOptions(screen.getByLabelText('Plan'), 'free')
    expect(screen.getAllByText('Please fill in this field.')).toHaveLength(1)
  })
})

test('browsers can fill in traits with the usual names', async () => {
  const named = [
    traitNode('fullName', 'Name', { required: true }),
    traitNode('team', 'Team', { required: true }),
  ]
  fakeService({ [create]: ok(registrationFlowJson({ traits: named })) })
  renderApp('/register')
  expect(await screen.findByLabelText('Name')).toHaveProperty('autocomplete', 'name')
  expect(screen.getByLabelText('Team')).toHaveProperty('autocomplete', '')
})

test('a provider that shares no name leads to a form for what the product needs', async () => {
  const given = [...traits.slice(1)]
  const service = fakeService({
    [read]: ok(noEmailFlowJson({ email: ADA, traits: [traits[0]!, ...given] })),
    [register]: { status: 422, body: { redirect_browser_to: 'http://localhost/away' } },
  })
  renderApp('/register?flow=registration-1')
  await screen.findByText(/needs a few more details/)
  expect(screen.queryByText(/GitHub did not/)).toBeNull()
  await fillTraits()
  await userEvent.click(screen.getByRole('button', { name: 'Continue with GitHub' }))
  expect(service.calls(register)[0]?.body).toMatchObject({ provider: 'github', traits: filled })
})

test.each([
  ['Add Birthday', 'Birthday', '1990-05-17', { birthday: '1990-05-17' }],
  ['Change Plan', 'Plan', 'free', { plan: 'free' }],
  ['Change Seats', 'Seats', '12', { seats: 12 }],
  ['Change Send me news', 'Send me news', 'tick', { news: true }],
])('the profile page: %s', async (button, label, value, expected) => {
  const known = { email: ADA, name: 'Ada', plan: 'team', seats: 3, news: false }
  const nodes = [
    traits[1]!,
    traitNode('plan', 'Plan', { value: 'team', options: plans }),
    traitNode('seats', 'Seats', { type: 'number', value: 3 }),
    traitNode('news', 'Send me news', { type: 'checkbox', value: false }),
  ]
  const flow = settingsFlowJson({ name: 'Ada', traits: nodes })
  const withKnown = { ...flow, identity: { ...sessionJson().identity, traits: known } }
  const service = fakeService({
    'GET /sessions/whoami': ok(sessionJson()),
    [settings]: ok(withKnown),
    [save]: ok({ ...withKnown, state: 'success' }),
  })
  renderApp('/settings')
  await userEvent.click(await screen.findByRole('button', { name: button }))
  const field = await screen.findByLabelText(label, { selector: 'input, select' })
  if (field instanceof HTMLSelectElement) await userEvent.selectOptions(field, value)
  else if (value === 'tick') await userEvent.click(field)
  else {
    await userEvent.clear(field)
    await userEvent.type(field, value)
  }
  await userEvent.click(screen.getByRole('button', { name: /^Save/ }))
  await screen.findByText('Saved.')
  expect(service.calls(save)[0]?.body).toMatchObject({ method: 'profile', traits: { ...known, ...expected } })
})

test('the profile page shows what is stored, not what was refused', async () => {
  const birthday = (value: string) => traitNode('birthday', 'Birthday', { type: 'date', value })
  const flow = settingsFlowJson({ traits: [birthday('1990-05-17')] })
  const identity = { ...sessionJson().identity, traits: { email: ADA, birthday: '1990-05-17' } }
  const fields = { 'traits.birthday': [text(4000005, 'Please enter a date.')] }
  fakeService({
    'GET /sessions/whoami': ok(sessionJson()),
    [settings]: ok({ ...flow, identity }),
    [save]: bad({ ...settingsFlowJson({ traits: [birthday('0017-05-17')], fields }), identity }),
  })
  renderApp('/settings')
  await userEvent.click(await screen.findByRole('button', { name: 'Change Birthday' }))
  await screen.findByLabelText('Birthday', { selector: 'input' })
  await userEvent.click(screen.getByRole('button', { name: /^Save/ }))
  await screen.findByText('Please enter a date.')
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await screen.findByText(/1990/)
})

test('the profile page shows a stored text that is not a date', async () => {
  const traits = [traitNode('birthday', 'Birthday', { type: 'date' })]
  const identity = { ...sessionJson().identity, traits: { email: ADA, birthday: 'in spring' } }
  fakeService({
    'GET /sessions/whoami': ok(sessionJson()),
    [settings]: ok({ ...settingsFlowJson({ traits }), identity }),
  })
  renderApp('/settings')
  await screen.findByText('in spring')
})

test('an account without a trait that became required can give it with any change', async () => {
  const traits = [
    traitNode('seats', 'Seats', { type: 'number', required: true }),
    traitNode('birthday', 'Birthday', { type: 'date' }),
  ]
  const identity = { ...sessionJson().identity, traits: { email: ADA } }
  const flow = { ...settingsFlowJson({ traits }), identity }
  const service = fakeService({
    'GET /sessions/whoami': ok(sessionJson()),
    [settings]: ok(flow),
    [save]: ok({ ...flow, state: 'success' }),
  })
  renderApp('/settings')
  await userEvent.click(await screen.findByRole('button', { name: 'Add Birthday' }))
  await userEvent.type(await screen.findByLabelText('Birthday', { selector: 'input' }), '1990-05-17')
  await userEvent.type(screen.getByRole('spinbutton', { name: 'Seats' }), '3')
  await userEvent.click(screen.getByRole('button', { name: /^Save/ }))
  await screen.findByText('Saved.')
  expect(service.calls(save)[0]?.body).toMatchObject({
    traits: { email: ADA, seats: 3, birthday: '1990-05-17' },
  })
})
