import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kratos } from '@ostiary/kratos'
import { test } from '../../../test/kit/databases.ts'
import type { Merge } from '../../../test/kit/kit.ts'
import * as kit from '../../../test/kit/kit.ts'
import { until } from '../../../test/kit/until.ts'
import { startHookReceiver } from '../../../test/servers/hook-receiver.ts'
import { ConfigError } from '../../config/checks/config-error.ts'

const createTestIdentity = (overrides: Merge) => kit.createTestIdentity(overrides, { kratos })

const ADA = 'ada@example.com'
const base64 = (text: string) => `base64://${Buffer.from(text).toString('base64')}`
const PASSWORDLESS = { methods: { code: { passwordless_enabled: true } } }

const email = {
  subject: base64('{{ .LoginCode }}\nfor {{ .Identity.traits.email }}'),
  body: {
    plaintext: base64(
      'Hi {{ .Identity.traits.name | default "friend" }}: {{ .LoginCode }}, {{ .ExpiresInMinutes }} min, {{ .TransientPayload.branding }}',
    ),
    html: base64('<p title="{{ .To }}">{{ .LoginCode }} {{ .TransientPayload.branding }}</p>'),
  },
}

test("renders subject, text and HTML from an operator's templates", async () => {
  const identity = await createTestIdentity({
    selfservice: PASSWORDLESS,
    courier: { templates: { login_code: { valid: { email } } } },
  })
  await identity.user(ADA)
  const browser = identity.browser()
  const transient_payload = { branding: '<b>Acme</b>' }
  await browser.submit(await browser.open('login'), { method: 'code', identifier: ADA, transient_payload })
  const [mail] = await identity.listMails(1)
  const code = /\d{6}/.exec(mail!.body)?.[0]
  assert.deepEqual(
    [mail!.subject, mail!.body, mail!.html],
    [
      `${code} for ${ADA}`,
      `Hi friend: ${code}, 10 min, <b>Acme</b>`,
      `<p title="${ADA}">${code} &#60;b&#62;Acme&#60;/b&#62;</p>`,
    ],
  )
})

test("reads a folder in Kratos' layout", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'templates-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const valid = join(folder, 'login_code/valid')
  mkdirSync(valid, { recursive: true })
  writeFileSync(join(valid, 'email.subject.gotmpl'), 'Subject of the file\n')
  writeFileSync(join(valid, 'email.body.gotmpl'), '<p>{{ template "email.body.en_US.gotmpl" . }}</p>')
  writeFileSync(join(valid, 'email.body.en_US.gotmpl'), 'Code {{ .LoginCode }}')
  writeFileSync(join(valid, 'email.body.plaintext.gotmpl'), 'Text of the file, <{{ .To }}>')
  const courier = {
    template_override_path: folder,
    templates: { login_code: { valid: { email: { body: { plaintext: base64('Text of the key') } } } } },
  }
  const identity = await createTestIdentity({ selfservice: PASSWORDLESS, courier })
  await identity.user(ADA)
  const browser = identity.browser()
  await browser.submit(await browser.open('login'), { method: 'code', identifier: ADA })
  const [mail] = await identity.listMails(1)
  assert.equal(mail!.subject, 'Subject of the file')
  assert.equal(mail!.body, 'Text of the key')
  assert.match(mail!.html, /^<p>Code \d{6}<\/p>$/)
  writeFileSync(join(valid, 'email.subject.gotmpl'), '{{ .LoginCod }}')
  await assert.rejects(createTestIdentity({ courier }), /login_code\/valid\/email\.subject\.gotmpl: line 1/)
  const nowhere = createTestIdentity({ courier: { template_override_path: join(folder, 'nowhere') } })
  await assert.rejects(nowhere, /template_override_path: .*nowhere cannot be read: the file does not exist/)
})

test('falls back to the built-in template for missing parts', async () => {
  const valid = { email: { subject: base64('Your code') } }
  const identity = await createTestIdentity({
    selfservice: PASSWORDLESS,
    courier: { templates: { login_code: { valid } } },
  })
  await identity.user(ADA)
  const browser = identity.browser()
  await browser.submit(await browser.open('login'), { method: 'code', identifier: ADA })
  const [mail] = await identity.listMails(1)
  assert.equal(mail!.subject, 'Your code')
  assert.match(mail!.body, /^\d{6} is your identity\.test code\./)
})

test('a template without @ostiary/kratos stops the start and names the package', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'templates-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'login_code/valid'), { recursive: true })
  writeFileSync(join(folder, 'login_code/valid/email.subject.gotmpl'), 'Your code')
  for (const courier of [
    { template_override_path: folder },
    { templates: { login_code: { valid: { email } } } },
    {
      templates: {
        recovery_code: { valid: { sms: { body: { plaintext: base64('{{ .RecoveryCode }}') } } } },
      },
    },
  ])
    await assert.rejects(kit.createTestIdentity({ courier }), (error) => {
      assert.ok(error instanceof ConfigError)
      assert.match(
        error.message,
        /a Go template needs @ostiary\/kratos\. Install it, and pass its `kratos` to/,
      )
      return true
    })
})

test('an invalid template stops the start and names its line', async () => {
  const templates = (text: string) => ({
    recovery_code: { valid: { email: { body: { plaintext: base64(text) } } } },
  })
  for (const [text, why] of [
    ['{{ if .To }}', /recovery_code\.valid\.email\.body\.plaintext: line 1: \{\{if\}\} has no \{\{end\}\}/],
    ['Hello\n{{ .RecoveryCod }}', /line 2: unknown field \.RecoveryCod, expected one of: To, RecoveryCode/],
    ['{{ env "HOME" }}', /unknown function env/],
  ] as const) {
    await assert.rejects(createTestIdentity({ courier: { templates: templates(text) } }), (error) => {
      assert.ok(error instanceof ConfigError)
      assert.match(error.message, why)
      return true
    })
  }
})

test('sends the built-in email if a template fails', async () => {
  const valid = {
    email: {
      body: { plaintext: base64('{{ range .TransientPayload.many }}{{ repeat 9999 "x" }}{{ end }}') },
    },
  }
  const identity = await createTestIdentity({
    selfservice: PASSWORDLESS,
    courier: { templates: { login_code: { valid } } },
  })
  await identity.user(ADA)
  const browser = identity.browser()
  const transient_payload = { many: Array.from({ length: 190 }, (_, at) => at) }
  await browser.submit(await browser.open('login'), { method: 'code', identifier: ADA, transient_payload })
  assert.match(await identity.code(ADA), /^\d{6}$/)
  assert.ok(identity.logged.some((line) => line.startsWith('template of courier.templates failed')))
})

test('downloads templates at start and fails without them', async () => {
  const receiver = await startHookReceiver()
  receiver.answers.set('/gone', { status: 404 })
  receiver.answers.set('/elsewhere', { status: 302, headers: { location: `${receiver.url}/subject` } })
  const at = (path: string) => ({
    selfservice: PASSWORDLESS,
    courier: { templates: { login_code: { valid: { email: { subject: `${receiver.url}${path}` } } } } },
  })
  const identity = await createTestIdentity(at('/subject'))
  await identity.user(ADA)
  const browser = identity.browser()
  await browser.submit(await browser.open('login'), { method: 'code', identifier: ADA })
  assert.equal((await identity.listMails(1))[0]!.subject, '{}')
  await assert.rejects(
    createTestIdentity(at('/gone')),
    /login_code\.valid\.email\.subject: cannot be loaded: the response was 404/,
  )
  await assert.rejects(createTestIdentity(at('/elsewhere')), /cannot be loaded/)
})

test("sends emails by HTTP with Kratos' parameters", async () => {
  const receiver = await startHookReceiver()
  const identity = await createTestIdentity({
    selfservice: PASSWORDLESS,
    courier: {
      delivery_strategy: 'http',
      http: {
        request_config: {
          url: `${receiver.url}/mail`,
          headers: { 'X-Tenant': 'acme' },
          auth: { type: 'api_key', config: { name: 'X-Key', value: 'secret', in: 'header' } },
        },
      },
    },
  })
  identity.start()
  await identity.user(ADA)
  const browser = identity.browser()
  await browser.submit(await browser.open('recovery'), { method: 'code', email: ADA })
  await until(() => receiver.calls.length === 1)
  const [{ method, headers, body }] = receiver.calls as [(typeof receiver.calls)[number]]
  assert.deepEqual(
    [method, headers['x-tenant'], headers['x-key'], headers['content-type']],
    ['POST', 'acme', 'secret', 'application/json'],
  )
  assert.deepEqual(Object.keys(body), [
    'recipient',
    'template_type',
    'to',
    'recovery_code',
    'recovery_url',
    'verification_url',
    'verification_code',
    'subject',
    'body',
  ])
  assert.deepEqual(
    [body.recipient, body.to, body.template_type, body.verification_code],
    [ADA, ADA, 'recovery_code_valid', null],
  )
  assert.equal(body.recovery_code, await identity.code(ADA))
  await until(async () => (await identity.listMails(1))[0]!.status === 'sent')
})
