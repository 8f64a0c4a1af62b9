import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { createQueryClient } from '../api/query-client.ts'
import type { Answer } from '../testing/fake-service.ts'
import { fakeService } from '../testing/fake-service.ts'
import { ADA, ok, sessionJson, tokenFor } from '../testing/flows.ts'
import type { Call } from './calls.ts'
import { asClientFetch, asCurl } from './copies.ts'
import { explain } from './explain.ts'
import { Panel } from './panel.tsx'

const WIRE = 'GET /demo/api/wire'
const WORLD = 'GET /demo/api/world'
const NOW = '2031-01-01T10:00:00.000Z'

const call = (more: Partial<Call> = {}): Call => ({
  seq: 1,
  id: 'call-1',
  time: '2031-01-01T10:00:00.000Z',
  method: 'GET',
  path: '/.ory/self-service/login/browser',
  status: 200,
  status_text: 'OK',
  duration_ms: 12,
  flow_id: 'f0000000-0000-4000-8000-000000000000',
  accept: 'application/json',
  cookies_sent: ['csrf_token_1'],
  cookies_set: [],
  ...more,
})

const wrongPassword = call({
  seq: 2,
  id: 'call-2',
  method: 'POST',
  path: '/.ory/self-service/login?flow=f0000000-0000-4000-8000-000000000000',
  status: 400,
  status_text: 'Bad Request',
  request: '{"method":"password","identifier":"it\'s@example.com","password":"$PASSWORD"}',
  form: {
    messages: [{ id: 4000006, text: 'Wrong password.' }],
    nodes: [{ group: 'password', name: 'password', type: 'password', messages: [] }],
  },
})

interface Recorded {
  readonly entries: Call[]
  readonly session?: object | null
}

function openPage(...answers: Recorded[]) {
  return openWith({}, ...answers)
}

function openWith(routes: Record<string, Answer | Answer[]>, ...answers: Recorded[]) {
  const recorded = answers.map((answer) => ok({ session: null, now: NOW, ...answer }))
  const service = fakeService({ [WIRE]: recorded, [WORLD]: ok([]), ...routes })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Panel />
    </QueryClientProvider>,
  )
  return service
}

afterEach(() => history.replaceState(null, '', '/'))

test('the closed panel is one button and asks for nothing', async () => {
  const service = openPage({ entries: [] })
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Demo'])
  expect(service.calls(WIRE)).toEqual([])
})

test('opens with Enter, closes with Escape, and returns the focus', async () => {
  const user = userEvent.setup()
  openPage({ entries: [] })
  await user.tab()
  await user.keyboard('{Enter}')
  expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Wire' }))
  expect(location.hash).toBe('#demo=wire')
  const height = screen.getByRole('button', { name: 'Taller' })
  await user.click(height)
  expect(document.activeElement).toBe(height)
  await screen.findByText(/No calls yet\. Open/)
  await user.keyboard('{Escape}')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Demo' }))
  expect(location.hash).toBe('')
})

test('names the user, the factors and the time left', async () => {
  history.replaceState(null, '', '#demo=wire')
  const expires_at = '2031-01-01T11:30:00.000Z'
  openPage({ entries: [], session: sessionJson({ expires_at, authenticator_assurance_level: 'aal2' }) })
  await screen.findByText(ADA)
  expect(screen.getByText('two factors, 1 h left')).toBeTruthy()
})

test('a row opens in place with a sentence, the form and the copies', async () => {
  const user = userEvent.setup()
  history.replaceState(null, '', '#demo=wire')
  openPage({ entries: [call(), wrongPassword] }, { entries: [] })
  const group = await screen.findByRole('region', { name: 'login flow f0000000' })
  within(group).getByRole('button', { name: /^GET/ }).focus()
  await user.keyboard('{ArrowDown}{Enter}')
  const row = within(group).getByRole('button', { name: /^POST.*400 Bad Request/ })
  expect(row.getAttribute('aria-expanded')).toBe('true')
  expect(location.hash).toBe('#demo=wire/call-2')
  within(group).getByText(/^The form stays open, with message 4000006: “Wrong password”/)
  within(group).getByText(/^4000006 Wrong password\.\spassword \(password, password\)$/)
  await user.click(within(group).getByRole('button', { name: 'Copy as curl' }))
  expect(await navigator.clipboard.readText()).toContain(`-d '{"method":"password"`)
})

test('a link opens its call, also one that is gone', async () => {
  history.replaceState(null, '', '#demo=wire/call-2')
  openPage({ entries: [wrongPassword] }, { entries: [] })
  await screen.findByText(/^The form stays open/)
  expect(document.activeElement).toBe(document.body)
  history.replaceState(null, '', '#demo=wire/call-9')
  dispatchEvent(new HashChangeEvent('hashchange'))
  await screen.findByText('The call of this link is no longer recorded.')
})

test('new calls are added at the end, and those of another flow form another group', async () => {
  history.replaceState(null, '', '#demo=wire')
  const whoami = call({ seq: 3, id: 'call-3', path: '/.ory/sessions/whoami' })
  const { flow_id: _, ...session } = whoami
  openPage({ entries: [call(), wrongPassword] }, { entries: [session] }, { entries: [] })
  const group = await screen.findByRole('region', { name: 'session' })
  const groups = screen.getAllByRole('region').map((region) => region.getAttribute('aria-label'))
  expect(groups).toEqual(['login flow f0000000', 'session'])
  expect(within(group).getAllByRole('button')).toHaveLength(1)
})

test('shows the claims of user_jwt', async () => {
  history.replaceState(null, '', '#demo=wire/call-1')
  const response = `{"tokenized": "${tokenFor({ sid: 'session-7' })}"}`
  openPage({ entries: [call({ path: '/.ory/sessions/whoami?tokenize_as=x', response })] }, { entries: [] })
  await screen.findByText(/"sid": "session-7"/)
})

test('a command quotes its values and takes secrets from the shell', () => {
  expect(asCurl(wrongPassword, 'http://localhost:3000').split(' \\\n  ')).toEqual([
    `curl -i 'http://localhost:3000${wrongPassword.path}'`,
    '-X POST',
    `-H 'Accept: application/json'`,
    `-H "Cookie: $COOKIES"`,
    `-H 'Content-Type: application/json'`,
    `-d '{"method":"password","identifier":"it'\\''s@example.com","password":"'"$PASSWORD"'"}'`,
  ])
})

test.each([
  [call(), 'createBrowserLoginFlow()'],
  [call({ path: '/.ory/sessions/whoami' }), 'toSession()'],
  [call({ path: '/.ory/self-service/logout/browser' }), 'createBrowserLogoutFlow()'],
  [wrongPassword, `updateLoginFlow({ flow: '${wrongPassword.flow_id}', updateLoginFlowBody: {`],
])('writes the call with the official client', (given, code) => {
  expect(asClientFetch(given, 'http://localhost:3000')).toContain(`await ory.${code}`)
})

test.each([
  [{ path: '/.ory/sessions/whoami', status: 401 }, /^No user is signed in/],
  [{ path: '/.ory/sessions/whoami', status: 403 }, /`\?aal=aal2`/],
  [{ path: '/.ory/self-service/logout?token=$TOKEN', status: 204 }, /^Ends the session/],
  [{ path: '/.ory/self-service/login/browser?aal=aal2' }, /^Opens a login flow.*second factor/],
  [{ method: 'POST', path: '/.ory/self-service/login?flow=1', status: 422 }, /`redirect_browser_to`/],
  [{ method: 'POST', path: '/.ory/self-service/login?flow=1' }, /^Signed in/],
  [{ path: '/.ory/self-service/settings/flows?id=1', status: 410 }, /^The flow has expired/],
  [{ path: '/.ory/self-service/methods/oidc/callback/github?code=$CODE', status: 303 }, /verified claims/],
  [{ path: '/demo/providers/github/auth', location: '/demo/consent?attempt=1' }, /asks its user/],
])('explains %o', (given, sentence) => {
  expect(explain(call(given))).toMatch(sentence)
})

const PEOPLE = 'GET /demo/api/people'
const RESET = 'POST /demo/api/people/chi/reset'
const chi = {
  key: 'chi',
  name: 'Chi',
  email: 'chi@example.com',
  about: 'Two-step login',
  credential: 'password',
}

function openPeople(post: Answer) {
  history.replaceState(null, '', '#demo=people')
  const people = [{ ...chi, code: '123456', seconds: 12 }]
  return openWith(
    {
      'POST /demo/api/people': [post, { status: 204 }],
      [PEOPLE]: ok({ password: 'three quiet words', people }),
      [RESET]: { status: 204 },
    },
    { entries: [] },
  )
}

test('the people have a state, a code and a reset', async () => {
  const user = userEvent.setup()
  const service = openPeople({ status: 204 })
  await screen.findByText('Two-step login')
  expect(screen.getByRole('button', { name: 'Sign in as Chi' })).toBeTruthy()
  expect(screen.getByText('12 s')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Reset Chi' }))
  await screen.findByText('Made again')
  expect(service.calls(RESET)).toHaveLength(1)
})

test('people that could not be made are tried again', async () => {
  const user = userEvent.setup()
  openPeople({ status: 500 })
  await user.click(await screen.findByRole('button', { name: 'Try again' }))
  await screen.findByText('Two-step login')
})

test('"Use" types the code into the page, if it asks for one', async () => {
  const user = userEvent.setup()
  openPeople({ status: 204 })
  await user.click(await screen.findByRole('button', { name: 'Use' }))
  await screen.findByText('The page asks for no code.')
  const typed: string[] = []
  render(<CodePage onType={(code) => typed.push(code)} />)
  await user.click(screen.getByRole('button', { name: 'Use' }))
  expect(typed).toEqual(['123456'])
})

function CodePage({ onType }: { onType(code: string): void }) {
  return (
    <main>
      <input autoComplete="one-time-code" value="" onChange={({ target }) => onType(target.value)} />
    </main>
  )
}

test('the inbox lists emails to this browser first', async () => {
  history.replaceState(null, '', '#demo=inbox')
  const mail = (id: string, recipient: string) => ({
    id,
    recipient,
    subject: `Code for ${recipient}`,
    body: '',
    template_type: 'login_code_valid',
    created_at: '2031-01-01T10:00:00.000Z',
    code: '654321',
  })
  const submitted = call({ request: `{"traits":{"email":"${ADA}"}}` })
  const mails = [mail('1', 'other@example.com'), mail('2', ADA)]
  openWith({ 'GET /demo/api/mails': ok({ mails }) }, { entries: [submitted] }, { entries: [] })
  await screen.findByText(`Code for ${ADA}`)
  await waitFor(() => {
    const headings = screen.getAllByRole('heading').map(({ textContent }) => textContent)
    expect(headings).toEqual([`Code for ${ADA}`, 'Code for other@example.com'])
  })
})

test('a switch is turned, and the header names it', async () => {
  const user = userEvent.setup()
  history.replaceState(null, '', '#demo=world')
  const email = (value: string) => [{ name: 'email', value, values: ['delivered', 'off'] }]
  const service = openWith(
    { [WORLD]: ok(email('delivered')), 'PATCH /demo/api/world': ok(email('off')) },
    { entries: [] },
  )
  await screen.findByRole('group', { name: 'Email' })
  expect(screen.queryByRole('list', { name: 'Changed' })).toBeNull()
  await user.click(screen.getByRole('radio', { name: 'off' }))
  const changed = await screen.findByRole('list', { name: 'Changed' })
  expect(changed.textContent).toBe('Email: off')
  expect(service.calls('PATCH /demo/api/world')[0]?.body).toEqual({ email: 'off' })
})
