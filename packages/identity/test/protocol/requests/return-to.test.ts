import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type Answer, nodeOf } from '../../../src/testing/answers.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity } from '../../kit/kit.ts'
import { ADA } from '../../kit/recovery-kit.ts'

const ALLOWED = {
  selfservice: {
    allowed_return_urls: ['http://app.test/welcome', 'https://*.team.test/', 'my-app://login/'],
  },
}

const GOOD = [
  'http://app.test/welcome',
  'http://app.test/welcome/',
  'http://app.test/welcome/back?x=1#y',
  'HTTP://APP.test/welcome',
  '/welcome/back',
  'https://blue.team.test/any',
  '/welcome/a b?q=a b ',
  'http://app.test/welcome?path=C:\\x\\y&share=100%',
  'http://app.test/welcome/über/\u{1f600}?q=ä#ö',
  `http://app.test/welcome?${'a'.repeat(8000)}`,
  'my-app://login',
]

const BAD = [
  'welcome',
  './welcome',
  'http://app.test/welcome/%zz',
  'http://app.test/welcome-evil',
  'http://app.test/welcomeevil/x',
  'http://app.test/',
  'http://app.test/welcome/../admin',
  'http://app.test/welcome/%2e%2e/admin',
  'http://app.test/welcome/..%2fadmin/../..',
  'http://app.test:8080/welcome',
  'https://app.test/welcome',
  'http://app.test.evil.test/welcome',
  'http://evil.test/welcome',
  'http://app.test@evil.test/welcome',
  'http://user@app.test/welcome',
  'http://user:pass@app.test/welcome',
  '//evil.test/welcome',
  '///evil.test/welcome',
  '/\\evil.test/welcome',
  '\\\\evil.test/welcome',
  'http:\\\\evil.test/welcome',
  'http:evil.test/welcome',
  'http:/evil.test/welcome',
  'https:evil.test',
  'http://evil.test\\@app.test/welcome',
  'http://app.test\\.evil.test/welcome',
  'http://app.test/wel\tcome',
  'http://app.test/wel\ncome',
  '\thttp://app.test/welcome',
  ' http://evil.test/',
  'http://ev\til.test/welcome',
  'java\nscript:alert(1)',
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'javascript://app.test/welcome%0aalert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/hosts',
  'ftp://app.test/welcome',
  'blob:http://app.test/welcome',
  'http://[::1]/welcome',
  'http://127.0.0.1/welcome',
  'http://2130706433/welcome',
  'http://app。test/welcome/../..',
  'http://xn--pp-test/welcome',
  'http://app.test\u3002evil.test/welcome',
  'http://app.test;evil.test/welcome',
  'http://app.test,evil.test/welcome',
  'http://app.test%2eevil.test/welcome',
  'http://app.test%00.evil.test/welcome',
  'http://evil.test#http://app.test/welcome',
  'http://evil.test?http://app.test/welcome',
  'http://evil.test/http://app.test/welcome',
  'https://team.test.evil.test/',
  'https://evilteam.test/',
  'https://team.test/',
  'http://blue.team.test/',
  'http://app.test/welcome/ ',
  ' http://app.test/welcome',
  'http://app.test/welcome/#%zz',
  'https://',
  'http://',
  'http:///welcome',
  '%2f%2fevil.test',
  '.',
  '..',
  '?x',
  '#x',
  'https:app.test',
  'http://app.test\r\nLocation: http://evil.test',
  'http://app.test/welcome\u2028',
  '/\t/evil.test',
  '/%09/evil.test',
  '/;@evil.test',
  '//app.test@evil.test/welcome',
  'http://app.test:80@evil.test/welcome',
  'http://[::ffff:127.0.0.1]/welcome',
  'http://0x7f.1/welcome',
  'http://app.test./welcome',
  'http://app\u00adtest/welcome',
  'http://a%70p.test.evil.test/welcome',
  'http://app.test/welcome/%2e%2e%2fadmin/%2e%2e/%2e%2e',
  'http://app.test/WELCOME',
  'http://app.test//welcome',
  'http://app.test/;/welcome',
  'ws://app.test/welcome',
  'intent://app.test/welcome',
  'view-source:http://app.test/welcome',
  '//xn--app-test-.evil.test/welcome',
]

test('SEC-31 redirects only to allowed URLs', async () => {
  assert.ok(GOOD.length + BAD.length >= 80)
  const identity = await createTestIdentity(ALLOWED)
  for (const [list, status] of [
    [GOOD, 200],
    [BAD, 400],
  ] as const) {
    for (const return_to of list) {
      const answer = await identity.browser().open('login', `?${new URLSearchParams({ return_to })}`)
      assert.equal(answer.status, status, JSON.stringify(return_to.slice(0, 80)))
    }
  }
})

test('redirects to the same spelling as Kratos', async () => {
  const identity = await createTestIdentity(ALLOWED)
  const browser = await identity.signedIn('ada@example.com')
  const return_to = 'http://app.test/welcome/a b/\u{1f600}?q=a b&x=ä#ö ü'
  const query = new URLSearchParams({ return_to })
  const { location } = await browser.navigate(`/self-service/login/browser?${query}`)
  assert.equal(location, 'http://app.test/welcome/a%20b/%F0%9F%98%80?q=a b&x=%c3%a4#%C3%B6%20%C3%BC')
})

test('a control character, a broken escape or a malformed scheme makes return_to invalid', async () => {
  const browser = (await createTestIdentity(ALLOWED)).browser()
  const welcomes = ['\t', '%zz', '?\x7f', '#%'].map((path) => `http://app.test/welcome/${path}`)
  for (const return_to of [...welcomes, ':foo', '1a:b']) {
    const query = new URLSearchParams({ return_to })
    const { status, body } = await browser.get(`/self-service/login/browser?${query}`)
    assert.deepEqual([status, body.error.id], [400, undefined], return_to)
  }
})

test('a default path ignores return_to', async () => {
  const identity = await createTestIdentity({
    selfservice: {
      default_browser_return_url: '/home',
      allowed_return_urls: ['/there/', 'https://blue.test/'],
    },
  })
  for (const [return_to, status] of [
    ['/there/x', 200],
    ['https://blue.test/x', 200],
    ['/elsewhere', 400],
    ['https://evil.test/there/x', 400],
  ] as const) {
    const answer = await identity.browser().open('login', `?${new URLSearchParams({ return_to })}`)
    assert.equal(answer.status, status, return_to)
  }
})

test('a screen URL keeps its query', async () => {
  const identity = await createTestIdentity({
    selfservice: { flows: { login: { ui_url: 'http://app.test/login?lang=de&b=1' } } },
  })
  const { location } = await identity.browser().navigate('/self-service/login/browser')
  assert.deepEqual([...new URL(location ?? '').searchParams.keys()], ['b', 'flow', 'lang'])
})

test('SEC-31 no return_to redirects to a disallowed host', async () => {
  const identity = await createTestIdentity(ALLOWED)
  const pieces = [
    'http:',
    'https:',
    '/',
    '//',
    '\\',
    'app.test',
    'evil.test',
    '@',
    ':',
    '.',
    '%2e',
    '?',
    '#',
    ' ',
  ]
  const address = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4 })), {
    maxLength: 8,
  })
  await fc.assert(
    fc.asyncProperty(address, async (parts) => {
      const query = new URLSearchParams({ return_to: parts.join('') })
      const answer = await identity.browser().get(`/self-service/login/browser?${query}`)
      assert.ok(answer.status < 500)
      if (answer.status !== 200 || parts.join('') === '') return
      const { host } = new URL(answer.body.return_to, 'http://app.test/')
      assert.ok(host === 'app.test' || host === 'identity.test' || host.endsWith('.team.test'), host)
    }),
    { numRuns: 300 },
  )
})

test('SEC-11 no URL depends on request headers', async () => {
  const identity = await createTestIdentity()
  const names = ['host', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded']
  const clean = await seen({})
  for (let bits = 1; bits < 16; bits++) {
    const evil = names.filter((_, index) => bits & (1 << index))
    const headers = Object.fromEntries(
      evil.map((name) => [name, name === 'forwarded' ? 'host=evil.test' : 'evil.test']),
    )
    assert.deepEqual(await seen(headers), clean, evil.join(', '))
  }

  async function seen(headers: Record<string, string>) {
    const browser = identity.browser()
    const opened = await browser.get('/self-service/login/browser', { headers })
    const page = await browser.get('/self-service/login/browser', {
      headers: { ...headers, accept: 'text/html' },
    })
    const { id } = opened.body
    return JSON.stringify([opened.body.request_url, opened.body.ui.action, page.location])
      .replaceAll(id, 'flow')
      .replace(/flow=[0-9a-f-]{36}/g, 'flow=other')
  }
})

test('SEC-11 the emailed link comes from the configuration', async () => {
  const identity = await createTestIdentity()
  const browser = identity.browser()
  const flow = await browser.open('registration')
  const headers = { host: 'evil.test', 'x-forwarded-host': 'evil.test' }
  const values = { method: 'password', password: 'correct horse 9', traits: { email: 'ada@example.com' } }
  await browser.submit(flow, values, { headers })
  const [mail] = await identity.mails('ada@example.com')
  assert.match(mail?.body ?? '', /http:\/\/identity\.test\/self-service\/verification\?/)
  assert.equal(mail?.body.includes('evil'), false)
})

test('a recovery returns to its caller if a client of a later Ory Kratos asks', async () => {
  const identity = await createTestIdentity({ version: 'v26.3.0' })
  await identity.user(ADA)
  const [page, script, app] = [identity.browser(), identity.browser(), identity.app()]
  const recover = async (client: typeof page | typeof app, query: string) => {
    const form = await client.submit(await client.open('recovery', query), { method: 'code', email: ADA })
    return { form, code: await identity.code(ADA) }
  }
  const { form, code } = await recover(page, '?skip_settings=true&return_to=http://app.test/after')
  const csrf_token = String(nodeOf(form, 'csrf_token')?.value)
  const back = await page.post(form.body.ui.action, { csrf_token, method: 'code', code })
  assert.deepEqual([back.status, back.location], [303, 'http://app.test/after'])
  assert.equal((await page.whoami()).status, 200)
  for (const client of [script, app]) {
    const asked = await recover(client, '?skip_settings=true')
    const done: Answer = await client.submit(asked.form, { method: 'code', code: asked.code })
    assert.deepEqual([done.status, done.body.state], [200, 'passed_challenge'])
    const actions = (done.body.continue_with ?? []).map(({ action }: { action: string }) => action)
    assert.deepEqual(actions, client === app ? ['set_ory_session_token'] : [])
  }
})
