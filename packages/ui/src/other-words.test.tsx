import { fakeService } from '@ostiary/react/testing/fake-service'
import { ADA, bad, ok, registrationFlowJson, text, traitNode } from '@ostiary/react/testing/flows'
import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import * as appTexts from '../../../app/texts.ts'
import { app } from '../../../app/web/app.tsx'
import { createQueryClient } from './api/query-client.ts'
import { App } from './app.tsx'
import { LoginForm } from './features/sign-in/login-form.tsx'
import { RegisterForm } from './features/sign-up/register-form.tsx'
import { page } from './pages.tsx'
import { all, open } from './testing/screen-states.ts'
import { catalogues, overrideTexts, type TextOverrides } from './texts/catalogue.ts'
import { ruleTexts } from './texts/fields.ts'

type Texts = Record<string, unknown>

/** Each sentence in brackets, as a second language has other words. */
function otherwise(text: unknown): unknown {
  if (typeof text === 'string') return `[${text}]`
  if (typeof text === 'function') return (...given: unknown[]) => otherwise(text(...given))
  if (Array.isArray(text)) return text.map(otherwise)
  if (typeof text !== 'object' || text === null) return text
  return mapValues(text as Texts, otherwise)
}

const mapValues = (texts: Texts, change: (text: unknown) => unknown): Texts =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, change(text)]))

function sentencesIn(text: unknown): string[] {
  if (typeof text === 'string') return text.includes('/') ? [] : [text]
  return typeof text === 'object' && text !== null ? Object.values(text).flatMap(sentencesIn) : []
}

test.each(all)('$address says nothing that the product has replaced ($index)', async (state) => {
  const copy = (text: unknown): unknown =>
    Array.isArray(text) || typeof text !== 'object' || text === null ? text : mapValues(text as Texts, copy)
  const usual = Object.fromEntries([...catalogues].map(([name, texts]) => [name, copy(texts) as Texts]))
  const before = await open(state)
  before.unmount()
  for (const [name, texts] of catalogues) usual[name] ??= copy(texts) as Texts
  const sentences = new Set(sentencesIn(usual)).difference(new Set(['', ...sentencesIn({ ...appTexts })]))
  overrideTexts(mapValues(usual, otherwise) as TextOverrides)
  try {
    const app = await open(state)
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const old: string[] = []
    while (walker.nextNode()) {
      const text = walker.currentNode.nodeValue?.trim() ?? ''
      if (sentences.has(text) && !walker.currentNode.parentElement?.closest('header, footer, script'))
        old.push(text)
    }
    app.unmount()
    expect(old).toEqual([])
  } finally {
    overrideTexts(usual as TextOverrides)
    overrideTexts({})
  }
})

test('the rules of fields are said in the product’s words', async () => {
  const usual = { password: ruleTexts.password, email: ruleTexts.email }
  overrideTexts({
    rule: { password: (length) => `${length} characters, please.`, email: 'An address, please.' },
  })
  try {
    await open({ address: '/login' })
    fireEvent.click(screen.getByRole('button', { name: 'Login' }))
    expect((await screen.findAllByText('6 characters, please.')).length).toBeGreaterThan(0)
    expect(screen.getAllByText('An address, please.').length).toBeGreaterThan(0)
  } finally {
    overrideTexts({ rule: usual })
    overrideTexts({})
  }
})

test('messages and labels of the protocol are said in the product’s words, by id', async () => {
  const label = { ...text(1070002, 'Name', 'info'), context: { title: 'Name' } }
  const name = { ...traitNode('name', '', { required: true }), meta: { label } }
  const flow = registrationFlowJson({ traits: [name] })
  const ui = { ...(flow.ui as object), messages: [text(4000007, 'Taken.')] }
  overrideTexts({
    messages: { 4000007: 'Das Konto gibt es schon.', 1070002: ({ title }) => `[${title}]` },
  })
  try {
    await open({
      address: '/register',
      routes: {
        'GET /self-service/registration/browser': ok(flow),
        'POST /self-service/registration': bad({ ...flow, ui }),
      },
    })
    await userEvent.type(await screen.findByLabelText('[Name]'), 'Ada')
    await userEvent.type(screen.getByLabelText('Email'), ADA)
    await userEvent.type(screen.getByLabelText('Password'), 'kajak-89-tuba')
    fireEvent.click(screen.getByRole('button', { name: 'Sign up' }))
    await screen.findAllByText('Das Konto gibt es schon.')
  } finally {
    overrideTexts({})
  }
})

test.each([LoginForm, RegisterForm])(
  'the button of a form may have other words than its title',
  async (Form) => {
    fakeService({})
    const screenOf = async () => ({ default: () => <Form title="Come aboard" submit="Cast off" /> })
    render(
      <MemoryRouter initialEntries={['/form']}>
        <App app={{ ...app, routes: [page('/form', screenOf)] }} cache={createQueryClient()} />
      </MemoryRouter>,
    )
    expect(await screen.findByRole('heading', { name: 'Come aboard' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Cast off' })).toBeTruthy()
    expect(document.title).toMatch(/^Come aboard/)
  },
)
