import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Hono } from 'hono'
import { sessionHint } from './session-hint.ts'

const hinted = (url: string) =>
  new Hono().use(sessionHint(new URL(url))).get('*', (c) => c.html('<p>page</p>'))

const navigate = async (cookie: string, { url = 'http://localhost:5200', accept = 'text/html,*/*' } = {}) => {
  const response = await hinted(url).request('/', { headers: { accept, cookie } })
  return response.headers.get('set-cookie')
}

test('a page hints at a session without revealing it', async () => {
  const cookie = await navigate('ory_kratos_session=secret; csrf_token_1=a')
  assert.equal(cookie, 'session_hint=1; Path=/; SameSite=Lax')
})

for (const name of ['__Host-session', 'ory_session_project', 'renamed_by_the_operator']) {
  test(`${name} may be a session`, async () => {
    assert.match((await navigate(`${name}=secret`)) ?? '', /^session_hint=1/)
  })
}

for (const cookie of [
  '',
  'csrf_token_1=a; __Host-csrf_token_2=b',
  'user_jwt=a; ory_kratos_continuity=b; __Host-device=c; demo_browser=d',
]) {
  test(`"${cookie}" is not a session`, async () => {
    assert.equal(await navigate(cookie), null)
  })
}

test('does not repeat a correct hint, and clears a wrong one', async () => {
  assert.equal(await navigate('session_hint=1; ory_kratos_session=secret'), null)
  assert.equal(await navigate('session_hint=1'), 'session_hint=; Path=/; SameSite=Lax; Max-Age=0')
})

test('scripts, styles and calls carry no hint', async () => {
  assert.equal(await navigate('ory_kratos_session=secret', { accept: '*/*' }), null)
})

test('over https the hint is Secure', async () => {
  const cookie = await navigate('__Host-session=secret', { url: 'https://app.example' })
  assert.equal(cookie, 'session_hint=1; Path=/; SameSite=Lax; Secure')
})
