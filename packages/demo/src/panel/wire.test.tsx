import { tokenFor } from '@ostiary/react/testing/flows'
import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { call, openPage } from '../testing/open-panel.tsx'
import { asClientFetch, asCurl } from './copies.ts'
import { explain } from './explain.ts'

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

test('a row opens in place with a sentence, the form and the copies', async () => {
  const user = userEvent.setup()
  history.replaceState(null, '', '#demo=wire')
  openPage({ entries: [call(), wrongPassword] }, { entries: [] })
  const group = await screen.findByRole('region', { name: 'login flow f0000000' })
  const row = within(group).getByRole('button', { name: /^POST.*400 Bad Request/ })
  await user.click(row)
  expect(row.getAttribute('aria-expanded')).toBe('true')
  expect(location.hash).toBe('#demo=wire/call-2')
  within(group).getByText(/^The form stays open, with message 4000006: “Wrong password”/)
  const [, form] = within(group).getAllByRole('list')
  expect([...(form?.children ?? [])].map(({ textContent }) => textContent)).toEqual([
    '4000006 Wrong password.',
    'password (password, password)',
  ])
  await user.click(within(group).getByRole('button', { name: 'Copy as curl' }))
  expect(await navigator.clipboard.readText()).toContain(`-d '{"method":"password"`)
})

const opened = call({ form: { state: 'choose_method', messages: [], nodes: [node('identifier', 'text')] } })

function node(name: string, type: string) {
  return { group: 'default', name, type, messages: [] }
}

test('a row says what the form gained and lost since the last one of its flow', async () => {
  history.replaceState(null, '', '#demo=wire/call-2')
  const form = { state: 'sent_email', messages: [], nodes: [node('code', 'text')] }
  openPage({ entries: [opened, { ...wrongPassword, form }] }, { entries: [] })
  await screen.findByText('Since the last form of this flow')
  const lines = [
    '- state: choose_method',
    '- identifier (text, default)',
    '+ state: sent_email',
    '+ code (text, default)',
  ]
  expect(screen.getByText(/^- state/).textContent?.split('\n')).toEqual(lines)
})

test('pointing at a node outlines its field, and pointing at the field its node', async () => {
  const user = userEvent.setup()
  history.replaceState(null, '', '#demo=wire/call-1')
  openPage({ entries: [opened] }, { entries: [] })
  render(
    <main>
      <input name="email" aria-label="Email" />
    </main>,
  )
  const field = screen.getByRole('textbox', { name: 'Email' })
  const shown = await screen.findByText('identifier (text, default)')
  await user.hover(shown)
  expect(field).toHaveProperty('dataset.demoChosen', '')
  await user.unhover(shown)
  expect(field).not.toHaveProperty('dataset.demoChosen')
  await user.hover(field)
  expect(shown.closest('li')).toHaveProperty('dataset.chosen', 'true')
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
  const { streams } = openPage({ entries: [call(), wrongPassword] }, { entries: [session] })
  await screen.findByRole('region', { name: 'login flow f0000000' })
  await act(async () => streams.announce())
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
  [{ path: '/.ory/sessions/whoami', status: 401 }, /^No user is logged in/],
  [{ path: '/.ory/sessions/whoami', status: 403 }, /`\?aal=aal2`/],
  [{ path: '/.ory/self-service/logout?token=$TOKEN', status: 204 }, /^Ends the session/],
  [{ path: '/.ory/self-service/login/browser?aal=aal2' }, /^Opens a login flow.*second factor/],
  [{ method: 'POST', path: '/.ory/self-service/login?flow=1', status: 422 }, /`redirect_browser_to`/],
  [{ method: 'POST', path: '/.ory/self-service/login?flow=1' }, /^Logged in/],
  [{ path: '/.ory/self-service/settings/flows?id=1', status: 410 }, /^The flow has expired/],
  [{ path: '/.ory/self-service/methods/oidc/callback/github?code=$CODE', status: 303 }, /verified claims/],
  [{ path: '/demo/providers/github/auth', location: '/demo/consent?attempt=1' }, /asks its user/],
])('explains %o', (given, sentence) => {
  expect(explain(call(given))).toMatch(sentence)
})
