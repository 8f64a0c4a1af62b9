import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderEmail } from './email.ts'
import { html } from './page.ts'
import { type MailData, renderMail, type TemplateType } from './templates.ts'

const CODE = '004217'
const URL_WITH_CODE = `https://app.example.com/.ory/self-service/verification?code=${CODE}&flow=9f1c`
const URL_TO_UNDO = 'https://app.example.com/.ory/self-service/verification?flow=9f1c&token=abc'
const code = { code: CODE, expires_in_minutes: 10 }
const link = {
  url: 'https://app.example.com/.ory/self-service/recovery?flow=1&token=abc',
  expires_in_minutes: 60,
}

const samples: MailData = {
  verification_code_valid: { ...code, url: URL_WITH_CODE },
  verification_code_invalid: {},
  verification_valid: link,
  verification_invalid: {},
  recovery_code_valid: code,
  recovery_code_invalid: {},
  recovery_valid: link,
  recovery_invalid: {},
  login_code_valid: { ...code, url: `https://app.example.com/login?flow=9f1c#code=${CODE}` },
  registration_code_valid: code,
  registration_duplicate: { url: 'https://app.example.com/login' },
  address_taken: { url: 'https://app.example.com/login' },
  address_reserved: {},
  security_notice: {
    notice: 'passkey_added',
    url: 'https://app.example.com/settings',
    at: '2031-04-02T09:00:00.000Z',
    device: 'Chrome on Linux',
    ip_address: '203.0.113.7',
    provider: 'GitHub',
  },
  security_digest: {
    held: [
      {
        notice: 'new_device',
        times: 120_000,
        first: '2031-04-02T09:00:00.000Z',
        last: '2031-04-02T09:06:00.000Z',
      },
      {
        notice: 'password_changed',
        times: 1,
        first: '2031-04-02T09:01:00.000Z',
        last: '2031-04-02T09:01:00.000Z',
      },
    ],
    url: 'https://app.example.com/settings',
  },
  address_changed: { address: 'ne****@example.com', url: URL_TO_UNDO, expires_in_hours: 72 },
  account_deletion_requested: { due: '6 December 2026', url: 'https://app.example.com/login' },
  account_deletion_cancelled: { url: 'https://app.example.com/settings' },
  account_deleted: {},
}

const types = Object.keys(samples) as TemplateType[]
const look = {
  language: 'en',
  colors: {
    accent: '#69680a',
    on_accent: '#fffff0',
    dark_accent: '#c2c476',
    dark_on_accent: '#17170a',
  },
}
const render = (type: TemplateType, name = 'Example App') =>
  renderMail(type, { app_name: name, ...look, to: 'ada@example.com' }, samples[type])
const count = (text: string, pattern: RegExp) => (text.match(pattern) ?? []).length

test('a button has the colors of the configuration, in both themes', () => {
  const { html } = render('verification_valid')
  assert.match(html, /<a class="button"[^>]*background:#69680a;[^>]*color:#fffff0/)
  assert.match(html, /\.button \{ background: #c2c476 !important; color: #17170a !important \}/)
})

test('text has the font of the configuration, before those of the system', () => {
  const envelope = { app_name: 'Example App', ...look, to: 'ada@example.com', font: 'Inter, "My Sans"' }
  const { html } = renderMail('account_deleted', envelope, {})
  assert.ok(html.includes('font:16px/1.5 Inter, &#34;My Sans&#34;,system-ui,'))
})

for (const type of types) {
  const data: { readonly code?: string; readonly url?: string } = samples[type]

  test(`names the app in the subject of ${type}`, () => {
    const mail = render(type)
    assert.match(mail.subject, /Example App/)
    assert.doesNotMatch(mail.subject, /[\r\n]/)
    assert.match(mail.html, /^<!doctype html>\n<html lang="en">/)
    const page = mail.html.replace(/<style>.*<\/style>/s, '').replaceAll(/<[^>]+>/g, ' ')
    for (const word of mail.text.replace(data.url ?? '\0', '').match(/[a-z]{4,}/gi) ?? []) {
      assert.ok(page.includes(word), word)
    }
  })

  test(`includes each secret of ${type} once`, () => {
    const { subject, text, html } = render(type)
    if (data.code !== undefined) {
      assert.equal(subject, `${CODE} is your Example App code`)
      assert.match(text.split('\n')[0]!, /^004217 .*Example App/)
      assert.equal(count(text, /(?<!\S)\d{6}(?!\S)/g), 1)
      assert.equal(text.match(/\b\d{6}\b/)?.[0], CODE)
      assert.equal(count(html, />004217</g), 1)
    } else {
      assert.equal(count(subject + text, /\b\d{6}\b/g), 0)
    }
    const elsewhere = html.replaceAll(CODE, '')
    assert.equal(count(elsewhere, /\d{6}/g), 0, 'no colour or number may be taken for a code')
    assert.deepEqual(text.match(/https?:\/\/[^\s"<>]+/g) ?? [], data.url === undefined ? [] : [data.url])
    assert.deepEqual(
      [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!.replaceAll('&#38;', '&')),
      data.url === undefined ? [] : [data.url],
    )
  })

  test(`${type} loads and runs nothing`, () => {
    assert.doesNotMatch(render(type).html, /<(img|script|link|table|iframe|form)\b|url\(|@import|src=/i)
  })
}

test('a notice states device, address, time and provider', () => {
  const { text } = render('security_notice')
  for (const fact of ['Chrome on Linux', '203.0.113.7', '2 April 2031 at 09:00 UTC', 'GitHub'])
    assert.ok(text.includes(fact), fact)
})

test('names the device in the subject of a new sign-in', () => {
  const data = { ...samples.security_notice, notice: 'new_device' } as const
  const { subject } = renderMail(
    'security_notice',
    { app_name: 'Example App', ...look, to: 'ada@example.com' },
    data,
  )
  assert.equal(subject, 'New login from Chrome on Linux (Example App)')
})

test('names the recipient, and follows the subject with a preheader', () => {
  const { text, html } = render('registration_duplicate')
  assert.match(text, /Example App sent this email to ada@example\.com\.\n$/)
  assert.match(html, /display:none[^>]*>We received a request to create an account/)
})

test('spells addresses readably', () => {
  const to = 'ada@xn--exmple-cua.com'
  const data = { ...samples.address_changed, address: 'ne****@xn--80ak6aa92e.com' }
  const { text, html } = renderMail('address_changed', { app_name: 'Example App', ...look, to }, data)
  for (const body of [text, html.replaceAll(/<\/?span[^>]*>/g, '')]) {
    assert.match(body, /uses ne\*\*\*\*@xn--80ak6aa92e\.com instead/)
    assert.match(body, /sent this email to ada@exämple\.com\./)
  }
})

test('an address moves to the next line as a whole', () => {
  const { html } = renderMail(
    'address_changed',
    { app_name: 'Example App', ...look, to: 'a-b@c-d.example' },
    samples.address_changed,
  )
  assert.match(html, /email to <span style="display:inline-block[^>]*>a-b@c-d\.example<\/span>\.<\/p>/)
})

test('a long text without an address is rendered at once', () => {
  const page = { subject: 'Long', title: 'Long', body: ['@'.repeat(3_000), 'a'.repeat(3_000)] }
  const start = performance.now()
  const { html } = renderEmail({ app_name: 'Example App', ...look, to: 'ada@example.com' }, page)
  assert.match(html, /@{3000}/)
  assert.ok(performance.now() - start < 1_000)
})

test('puts a link on its own line', () => {
  const { text } = render('verification_code_valid')
  assert.ok(text.split('\n').includes(URL_WITH_CODE))
})

test('spells out the lifespan', () => {
  assert.match(render('login_code_valid').text, /expires in 10 minutes/)
  assert.match(
    renderMail(
      'login_code_valid',
      { app_name: 'Example App', ...look, to: 'ada@example.com' },
      { ...code, expires_in_minutes: 1 },
    ).text,
    /1 minute\./,
  )
})

test('SEC-10 the app name cannot break headers or markup', () => {
  const { subject, html } = render('login_code_valid', 'My\r\nBcc: eve@example.com\0 <b>"App"</b> & ’s')
  assert.equal(subject, `${CODE} is your My Bcc: eve@example.com <b>"App"</b> & ’s code`)
  assert.doesNotMatch(html, /<b>/)
  assert.match(html, /&#60;b&#62;&#34;App&#34;&#60;\/b&#62; &#38; ’s/)
})

test('escapes values, but not nested markup', () => {
  const inner = html`<i>${'a&b'}</i>`
  assert.equal(
    html`<p title="${`"'<>`}">${inner}${[inner, inner]}${5}</p>`.markup,
    '<p title="&#34;&#39;&#60;&#62;"><i>a&#38;b</i><i>a&#38;b</i><i>a&#38;b</i>5</p>',
  )
})
