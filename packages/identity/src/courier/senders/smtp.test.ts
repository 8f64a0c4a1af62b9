import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { assertCheap } from '../../../test/input/processor-time.ts'
import type { Faults } from '../../../test/servers/mail-server.ts'
import { MAIL, QUICK, SMTP, senderTo, server } from '../../../test/servers/smtp-kit.ts'
import { checkMailServer, createSmtpSender } from './smtp.ts'

test('puts text before HTML and sends only known headers', async (t) => {
  const { uri, received } = await server(t)
  const send = senderTo(t, uri, { from_name: 'Grüne "App", Ltd.', headers: { 'X-Team': 'accounts' } })
  assert.deepEqual(await send(), { kind: 'sent' })
  const [mail] = received
  assert.equal(mail?.from, 'no-reply@app.example')
  assert.equal(mail?.to, 'ada@example.com')
  assert.equal(mail?.message_id, `<${MAIL.id}@app.example>`)
  const [head = '', body = ''] = mail!.data.split(/\r\n\r\n(.*)/s)
  const names = [...head.matchAll(/^([\w-]+):/gm)].map(([, name]) => name)
  const expected = ['From', 'To', 'Subject', 'Message-ID', 'Date', 'MIME-Version', 'Content-Type']
  assert.deepEqual(names.sort(), [...expected, 'Auto-Submitted', 'X-Team'].sort())
  assert.match(head, /^Subject: 004217 is your Example App code$/m)
  assert.match(head, /^Date: Fri, 02 Jan 2026 03:04:05 \+0000$/m)
  assert.match(head, /^Content-Type: multipart\/alternative;/m)
  assert.ok(body.indexOf('text/plain') < body.indexOf('text/html') && body.includes('text/plain'))
})

test('keeps the Message-ID across attempts', async (t) => {
  const { uri, received } = await server(t)
  const send = senderTo(t, uri)
  await send()
  await send()
  assert.equal(received.length, 2)
  assert.equal(received[0]?.message_id, received[1]?.message_id)
})

const DELIVERABLE = [
  'ada@example.com',
  'a@b.co',
  'ada+tag@example.com',
  "o'hara!#$%&*/=?^_`{|}~-@example.com",
  'first.last@sub.sub.example.com',
  'ada@xn--jgeva-dua.ee',
  'root@localhost',
  `${'a'.repeat(64)}@example.com`,
]

for (const recipient of DELIVERABLE) {
  test(`SEC-09 sends to exactly the stored address ${recipient.slice(0, 40)}`, async (t) => {
    const { uri, transcript } = await server(t)
    assert.deepEqual(await senderTo(t, uri)({ recipient }), { kind: 'sent' })
    assert.deepEqual(transcript().match(/^RCPT .*$/gm), [`RCPT TO:<${recipient}>`])
  })
}

for (const recipient of ['õie@jõgeva.ee', 'δοκιμή@example.com']) {
  test(`FLT-40 refuses ${recipient} with the reason if the server cannot deliver to it`, async (t) => {
    const { uri, transcript } = await server(t, {}, { hideSMTPUTF8: true })
    const send = senderTo(t, uri)
    assert.deepEqual(await send({ recipient }), {
      kind: 'refused',
      reason: 'the mail server accepts ASCII addresses only (no SMTPUTF8)',
    })
    assert.deepEqual(await send({ recipient: 'ada@jõgeva.ee' }), { kind: 'sent' })
    assert.deepEqual(transcript().match(/^RCPT .*$/gm), ['RCPT TO:<ada@xn--jgeva-dua.ee>'])
  })
}

test('SEC-07 sends a non-ASCII address unchanged, or with an IDNA-encoded domain', async (t) => {
  const { uri, transcript } = await server(t)
  const send = senderTo(t, uri)
  for (const recipient of ['õie@jõgeva.ee', 'ﬁﬂß@example.com', 'ada@jõgeva.ee']) {
    assert.deepEqual(await send({ recipient }), { kind: 'sent' }, recipient)
  }
  const expected = ['õie@jõgeva.ee', 'ﬁﬂß@example.com', 'ada@xn--jgeva-dua.ee']
  assert.deepEqual(
    transcript().match(/^RCPT .*$/gm),
    expected.map((address) => `RCPT TO:<${address}>`),
  )
})

const HOSTILE = [
  '',
  '@',
  'ada',
  'ada@',
  '@example.com',
  'ada@example.com,eve@evil.test',
  'ada@example.com;eve@evil.test',
  'ada@example.com eve@evil.test',
  'eve@evil.test@example.com',
  '"eve@evil.test x"@example.com',
  '"eve@evil.test"@example.com',
  'xclow3n@gmail.com x"@internal.example',
  '"ada"@example.com',
  'ada<eve@evil.test>@example.com',
  'Ada <eve@evil.test>',
  '<eve@evil.test>',
  'eve@evil.test>\r\nRCPT TO:<ada@example.com',
  'ada@example.com\r\nBcc: eve@evil.test',
  'ada@example.com\nDATA',
  'ada@example.com\0.evil.test',
  'ada\t@example.com',
  ' ada@example.com',
  'ada@example.com ',
  'ada@example.com\u2028',
  'ada\u200b@example.com',
  'ada\ufeff@example.com',
  'ada(comment)@example.com',
  'ada@(comment)example.com',
  'group:eve@evil.test;',
  '@evil.test:ada@example.com',
  'ada@[127.0.0.1]',
  'ada@[x@evil.test]',
  'ada@[IPv6:::1]',
  'ada@127.0.0.1',
  'ada@2130706433',
  'ada@0x7f.1',
  'ada@example.com:25',
  'ada@example..com',
  'ada@.example.com',
  'ada@-example.com',
  '.ada@example.com',
  'ada.@example.com',
  'a..da@example.com',
  'ada\\@example.com',
  'ada＠example.com',
  'ada@ｅxample.com',
  'ada@exam\u00adple.com',
  'ada@ban\u212A.example',
  'ada@ﬁne.example',
  'ada@example。com',
  'ada@exa/mple.com',
  'ada@exam%70le.com',
  `${'a'.repeat(65)}@example.com`,
  `ada@${'a.'.repeat(130)}com`,
  `${'('.repeat(65_536)}@example.com`,
  '<'.repeat(65_536),
  ','.repeat(65_536),
]

test('SEC-09 SEC-10 rejects ambiguous recipient addresses', async (t) => {
  const { uri, transcript } = await server(t)
  const send = senderTo(t, uri)
  for (const recipient of HOSTILE) {
    const name = JSON.stringify(recipient.slice(0, 60))
    await assertCheap(name, async () => assert.equal((await send({ recipient })).kind, 'refused', name))
  }
  assert.equal(transcript(), '')
})

test('SEC-10 keeps line breaks out of headers and commands', async (t) => {
  const { uri, received, transcript } = await server(t)
  const evil = 'x\r\nBcc: eve@evil.test\r\n\r\n<b>\0'
  const send = senderTo(t, uri, {
    from_name: evil,
    local_name: 'localhost\r\nRSET',
    headers: { 'X-Team\r\nX-Evil': evil },
  })
  assert.deepEqual(await send({ subject: evil, text: 'https://x.test\r\n.\r\nMAIL FROM:<a@b>\r\n' }), {
    kind: 'sent',
  })
  assert.equal(received.length, 1)
  const [head = ''] = received[0]!.data.split('\r\n\r\n')
  assert.doesNotMatch(head, /^(bcc|x-evil)/im)
  assert.doesNotMatch(head, /\0/)
  assert.deepEqual(transcript().match(/^(MAIL|RCPT|RSET)\b.*$/gm), [
    'MAIL FROM:<no-reply@app.example>',
    'RCPT TO:<ada@example.com>',
    'MAIL FROM:<a@b>',
  ])
})

test('SEC-10 an email reads no file or URL', async (t) => {
  const { uri, received } = await server(t)
  const text = { path: import.meta.filename } as unknown as string
  assert.notEqual((await senderTo(t, uri)({ text })).kind, 'sent')
  assert.equal(received.length, 0)
})

const cases: readonly [what: string, faults: Faults, kind: string][] = [
  ['the recipient is refused for good', { on_recipient: () => 550 }, 'refused'],
  ['the mailbox is full', { on_recipient: () => 552 }, 'refused'],
  ['the recipient is refused for now', { on_recipient: () => 450 }, 'postponed'],
  ['the email is refused for good', { on_data: () => 554 }, 'refused'],
  ['the email is refused for now', { on_data: () => 451 }, 'postponed'],
  ['the connection breaks in the middle of the email', { on_data: () => 'drop' }, 'postponed'],
  ['the server closes the connection at the recipient', { on_recipient: () => 421 }, 'unreachable'],
  ['the server greets with a refusal', { on_connect: () => 554 }, 'unreachable'],
  ['the server asks for a sign-in', { on_recipient: () => 530 }, 'unreachable'],
]

for (const [what, faults, kind] of cases) {
  test(`FLT-07 marks the email ${kind} if ${what}, then reconnects`, async (t) => {
    const { uri } = await server(t, faults)
    const send = senderTo(t, uri)
    for (const _ of [1, 2]) assert.equal((await send()).kind, kind)
  })
}

test('FLT-07 reports a silent server as unreachable in time', async (t) => {
  const silent = createServer(() => undefined)
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  const uri = `smtp://127.0.0.1:${port}/?disable_starttls=true`
  assert.equal((await senderTo(t, uri, {}, QUICK)()).kind, 'unreachable')
  await new Promise((resolve) => silent.close(resolve))
  const gone = await senderTo(t, uri)()
  assert.equal(gone.kind, 'unreachable')
  assert.match('reason' in gone ? gone.reason : '', /ECONNREFUSED/)
})

test('keeps emails after a wrong SMTP password', async (t) => {
  const { port } = await server(
    t,
    {},
    {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        username === 'ada' && password === 'p@ss/word'
          ? done(null, { user: 'ada' })
          : done(Object.assign(new Error('no'), { responseCode: 535 })),
    },
  )
  const query = `127.0.0.1:${port}/?disable_starttls=true`
  assert.equal((await senderTo(t, `smtp://ada:p%40ss%2Fword@${query}`)()).kind, 'sent')
  const refused = await senderTo(t, `smtp://ada:wrong-password@${query}`)()
  assert.equal(refused.kind, 'unreachable')
  assert.doesNotMatch(JSON.stringify(refused), /wrong-password/)
})

test('does not quote the code, even if the server does', async (t) => {
  const { uri } = await server(t, { on_data: () => 554 })
  const refused = await senderTo(t, uri)()
  assert.match('reason' in refused ? refused.reason : '', /554 not taken: … is your Example App code$/)
})

test('reports invalid settings without the password', () => {
  for (const uri of ['smtp://ada:top%secret@host:25/', 'smtp://ada:top%secret@host:port/']) {
    assert.throws(
      () => createSmtpSender(uri, SMTP),
      (error: Error) =>
        /^courier\.smtp\.connection_uri: /.test(error.message) && !error.message.includes('secret'),
    )
  }
  assert.throws(
    () => createSmtpSender('smtp://localhost/', { ...SMTP, from_address: 'Example App <a@b.co>' }),
    /^ConfigError: courier\.smtp\.from_address/,
  )
})

test('names the host of an internationalised domain as DNS does', async () => {
  assert.match((await checkMailServer('smtp://mail.exämple.invalid')) ?? '', /mail\.xn--exmple-cua\.invalid/)
})
