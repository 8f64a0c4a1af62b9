import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import type { SMTPServerOptions } from 'smtp-server'
import { PATIENT, QUICK, senderTo, server } from '../../../test/servers/smtp-kit.ts'

test('sends nothing without the configured TLS and suggests a fix', async (t) => {
  const plain = await server(t, {}, { disabledCommands: ['STARTTLS', 'AUTH'] })
  const selfSigned = await server(t)
  const tls = await server(t, {}, { secure: true })
  for (const [uri, remedy] of [
    [`smtp://127.0.0.1:${plain.port}/`, /add \?disable_starttls=true to the URL of the mail server$/],
    [`smtp://127.0.0.1:${selfSigned.port}/`, /certificate.*; add \?server_name=….*\?skip_ssl_verify=true$/],
    [`smtps://127.0.0.1:${plain.port}/`, /use smtp:\/\/ instead of smtps:/],
    [`smtp://127.0.0.1:${tls.port}/`, /use smtps:\/\/ instead of smtp:/],
  ] as const) {
    const failure = await senderTo(t, uri, {}, uri.endsWith(`${tls.port}/`) ? QUICK : PATIENT)()
    assert.equal(failure.kind, 'unreachable')
    assert.match('reason' in failure ? failure.reason : '', remedy)
  }
  assert.equal(plain.received.length + selfSigned.received.length + tls.received.length, 0)
})

test('suggests a fix when the server refuses', async (t) => {
  for (const [reply, remedy] of [
    ['530 5.7.0 Must issue a STARTTLS command first', /; remove \?disable_starttls=true from the URL/],
    ['530 5.7.0 Authentication required', /; add user:password@ to the URL/],
    ['553 5.7.1 Sender address rejected: not owned by user ada', /; check .* \(MAIL_FROM, or courier/],
    ['550 5.7.60 Client does not have permissions to send as this sender', /; check .* \(MAIL_FROM, or/],
  ] as const) {
    const code = Number(reply.slice(0, 3))
    const onMailFrom: SMTPServerOptions['onMailFrom'] = (_address, _session, done) =>
      done(Object.assign(new Error(reply.slice(4)), { responseCode: code }))
    const { uri } = await server(t, {}, { onMailFrom })
    const failure = await senderTo(t, uri)()
    assert.equal(failure.kind, 'unreachable')
    assert.match('reason' in failure ? failure.reason : '', remedy)
  }
  const silent = createServer(() => undefined)
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  t.after(() => silent.close())
  const { port } = silent.address() as AddressInfo
  const failure = await senderTo(t, `smtps://127.0.0.1:${port}/`, {}, QUICK)()
  assert.match(
    'reason' in failure ? failure.reason : '',
    /^Connection timeout; check the host and the port .*smtps:/,
  )
})

test('uses STARTTLS for smtp and implicit TLS for smtps', async (t) => {
  const starttls = await server(t, {}, { disabledCommands: [] })
  const tls = await server(t, {}, { secure: true })
  const query = '?skip_ssl_verify=true&server_name=mail.app.example'
  assert.equal((await senderTo(t, `smtp://127.0.0.1:${starttls.port}/${query}`)()).kind, 'sent')
  assert.equal((await senderTo(t, `smtps://127.0.0.1:${tls.port}/${query}`)()).kind, 'sent')
  assert.doesNotMatch(starttls.transcript(), /004217|RCPT/)
})
