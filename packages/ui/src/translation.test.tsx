import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import * as appTexts from '../../../app/texts.ts'
import { repositoryJson } from '../../../app/web/repositories/repository-json.ts'
import { routes } from '../../../app/web/routes.tsx'
import * as paths from './paths.ts'
import { type Answer, fakeService } from './testing/fake-service.ts'
import {
  ADA,
  bad,
  chooseFlowJson,
  codeChoice,
  input,
  loginCodeFlowJson,
  loginFlowJson,
  ok,
  passedFlowJson,
  providerNode,
  recoveryFlowJson,
  refused,
  registrationFlowJson,
  sentFlowJson,
  sessionJson,
  settingsFlowJson,
  stayChoice,
  text,
} from './testing/flows.ts'
import { renderApp } from './testing/render-app.tsx'
import { takeErrors } from './testing/setup.ts'
import { known, overrideTexts, type TextOverrides } from './texts/catalogue.ts'
import { ruleTexts } from './texts/fields.ts'
import { standstillTexts } from './texts/standstill.ts'
import * as files from './ui/save-file.ts'

type Routes = Record<string, Answer>

interface State {
  readonly address: string
  readonly routes?: Routes
  readonly isSignedIn?: true
}

const at = new Date(Date.now() - 3_600_000).toISOString()
const wrong = { messages: [text(4000006, 'The credentials are wrong.')] }

const secrets = {
  ...input('lookup_secret_codes', 'text'),
  group: 'lookup_secret',
  attributes: {
    node_type: 'text',
    id: 'lookup_secret_codes',
    text: { id: 1050015, text: '', type: 'info', context: { secrets: [{ text: 'abcd1234' }] } },
  },
}
const grouped = (group: string, name: string, value = 'true') => ({ ...input(name, 'submit', value), group })
const settings = (...providers: Record<string, unknown>[]): Routes => {
  const flow = settingsFlowJson({ name: 'Ada', providers })
  return {
    'GET /self-service/settings/browser': ok(flow),
    'POST /self-service/settings': bad({ ...flow, ui: { ...(flow.ui as object), ...wrong } }),
  }
}
const account = (address: string, routes: Routes = settings()): State => ({
  address,
  routes,
  isSignedIn: true,
})

/** Every screen, in the states whose buttons differ. */
const states: Readonly<Record<string, readonly State[]>> = {
  [paths.home]: [{ address: '/' }, account('/')],
  '/about': [{ address: '/about' }],
  [paths.login]: [
    { address: '/login' },
    { address: '/login?aal=aal2', routes: { 'GET /self-service/login/browser': ok(secondFactor()) } },
    { address: '/login', routes: { 'GET /self-service/login/browser': ok(loginCodeFlowJson()) } },
  ],
  [paths.register]: [{ address: '/register' }],
  [paths.verify]: [
    { address: '/verify?flow=verification-1' },
    {
      address: '/verify?flow=verification-1',
      routes: { 'GET /self-service/verification/flows': ok(chooseFlowJson()) },
    },
    {
      address: '/verify?flow=verification-1',
      routes: { 'GET /self-service/verification/flows': ok(passedFlowJson({ id: 'verification-1' })) },
    },
  ],
  [paths.recovery]: [
    { address: '/recovery' },
    {
      address: '/recovery',
      routes: { 'GET /self-service/recovery/browser': ok(recoveryFlowJson('sent_email')) },
    },
    account('/recovery?step=password'),
  ],
  [paths.dashboard]: [account('/dashboard')],
  '/error': [{ address: '/error' }, account('/error')],
  [paths.settings]: [account('/settings')],
  [paths.security]: [
    account('/settings/security', settings(grouped('totp', 'totp_code'), grouped('password', 'password'))),
    account(
      '/settings/security',
      settings(
        grouped('totp', 'totp_unlink'),
        grouped('lookup_secret', 'lookup_secret_disable'),
        grouped('passkey', 'passkey_remove', 'a1b2'),
      ),
    ),
    account(
      '/settings/security',
      settings(grouped('totp', 'totp_unlink'), grouped('lookup_secret', 'lookup_secret_confirm'), secrets),
    ),
  ],
  [paths.connections]: [
    account(
      '/settings/connections',
      settings(providerNode('github', 'link'), providerNode('google', 'unlink')),
    ),
  ],
  [paths.devices]: [account('/settings/devices')],
  [paths.activity]: [account('/settings/activity')],
  [paths.data]: [account('/settings/data')],
}

function secondFactor() {
  return {
    ...loginFlowJson({ choices: [input('totp_code', 'text'), input('lookup_secret', 'text')] }),
    requested_aal: 'aal2',
  }
}

const login = loginFlowJson({ choices: [stayChoice, codeChoice] })
const device = { current: false, kind: 'phone', name: 'Safari on iPhone', last_active_at: at }

const common: Routes = {
  'GET /self-service/login/browser': ok(login),
  'POST /self-service/login': bad(loginFlowJson(wrong)),
  'GET /self-service/registration/browser': ok(registrationFlowJson()),
  'POST /self-service/registration': bad(registrationFlowJson(wrong)),
  'GET /self-service/verification/flows': ok(sentFlowJson()),
  'POST /self-service/verification': bad(sentFlowJson({ fields: { code: [text(4070006, 'Wrong code.')] } })),
  'GET /self-service/recovery/browser': ok(recoveryFlowJson('choose_method')),
  'POST /self-service/recovery': ok(recoveryFlowJson('sent_email')),
  'GET /self-service/errors': refused(404),
  'GET /self-service/logout/browser': ok({ logout_token: 'logout-1', logout_url: 'x' }),
  'GET /self-service/logout': { status: 204 },
  'GET /api/v1/code-host/users/octocat/repos': ok([repositoryJson()]),
  'GET /api/v1/account/session': ok({ recovering: false }),
  'GET /api/v1/account/deletion': ok({ due_at: null }),
  'POST /api/v1/account/deletion': refused(403),
  'GET /api/v1/account/export': refused(403),
  'GET /api/v1/account/devices': ok([
    { ...device, id: 'one', current: true },
    { ...device, id: 'two' },
  ]),
  'DELETE /sessions/two': refused(500),
  'DELETE /sessions': refused(500),
  'GET /api/v1/account/activity': ok(
    Array.from({ length: 50 }, (_, id) => ({ id: `${id}`, event: 'sign_in', created_at: at })),
  ),
  'GET /api/v1/account/credentials': ok({ passkeys: [{ id: 'a1b2', created_at: at }], connections: [] }),
}

/** As the translation of Chrome does, which goes on with texts that appear later. */
function translate(): () => void {
  const wrapTexts = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts: Node[] = []
    while (walker.nextNode()) texts.push(walker.currentNode)
    for (const node of texts) {
      if (node.parentElement?.closest('font')) continue
      const font = document.createElement('font')
      node.parentNode?.replaceChild(font, node)
      font.textContent = node.nodeValue
    }
  }
  wrapTexts(document.body)
  const observer = new MutationObserver((changes) => {
    for (const { target } of changes) if (document.contains(target)) wrapTexts(target)
  })
  observer.observe(document.body, { childList: true, subtree: true })
  return () => observer.disconnect()
}

/** Until answers and lazy parts are there. */
const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 20)))

async function open({ address, routes, isSignedIn }: State) {
  fakeService({ ...common, 'GET /sessions/whoami': isSignedIn ? ok(sessionJson()) : refused(401), ...routes })
  const app = renderApp(address)
  await waitFor(() => expect(document.querySelectorAll('h1')).toHaveLength(1))
  await waitFor(() => expect(document.querySelector('.skeleton, .animate-wait, .needs-scripts')).toBeNull())
  await settle()
  return app
}

const buttons = () => [
  ...document.querySelectorAll<HTMLElement>('#main button, #main summary, header button'),
]

function fillIn(): void {
  for (const field of document.querySelectorAll('input')) {
    if (field.readOnly || !['text', 'email', 'password'].includes(field.type)) continue
    const value = field.type === 'email' ? ADA : field.name.includes('code') ? '123456' : 'secret words'
    fireEvent.change(field, { target: { value } })
  }
}

async function press(button: HTMLElement): Promise<void> {
  fillIn()
  fireEvent.click(button)
  await settle()
  expect(document.querySelectorAll('h1'), button.textContent).toHaveLength(1)
  expect(screen.queryByText(standstillTexts.failure.heading), button.textContent).toBeNull()
}

test('every screen is here', () => {
  expect(Object.keys(states)).toEqual(routes.map(({ path }) => path))
})

const all = Object.values(states).flatMap((list) => list.map((state, index) => ({ ...state, index })))

test.each(all)('$address, translated, survives each button ($index)', async (state) => {
  vi.spyOn(window, 'print').mockImplementation(() => {})
  vi.spyOn(files, 'saveFile').mockImplementation(() => {})
  const count = await open(state).then((app) => {
    const { length } = buttons()
    app.unmount()
    return length
  })
  for (let index = 0; index < count; index++) {
    const app = await open(state)
    const stop = translate()
    const first = buttons()
    await press(first[index]!)
    // What has opened: a form, a question or a dialog.
    for (const opened of buttons().filter((one) => !first.includes(one)))
      if (opened.isConnected) await press(opened)
    app.unmount()
    stop()
  }
  // Refusals of the service are logged.
  expect(
    takeErrors()
      .flat()
      .filter((error) => error instanceof DOMException),
  ).toEqual([])
})

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
  const usual = Object.fromEntries([...known].map(([name, texts]) => [name, copy(texts) as Texts]))
  const before = await open(state)
  before.unmount()
  for (const [name, texts] of known) usual[name] ??= copy(texts) as Texts
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
  overrideTexts({ rule: { password: 'Six characters, please.', email: 'An address, please.' } })
  try {
    await open({ address: '/login' })
    fireEvent.click(screen.getByRole('button', { name: 'Login' }))
    expect((await screen.findAllByText('Six characters, please.')).length).toBeGreaterThan(0)
    expect(screen.getAllByText('An address, please.').length).toBeGreaterThan(0)
  } finally {
    overrideTexts({ rule: usual })
    overrideTexts({})
  }
})
