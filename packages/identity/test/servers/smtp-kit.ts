import type { TestContext } from 'node:test'
import type { OutgoingMail } from '../../src/courier/senders/sender.ts'
import { createSmtpSender, loadSmtp } from '../../src/courier/senders/smtp.ts'
import { startMailServer } from './mail-server.ts'

await loadSmtp()

type Smtp = Parameters<typeof createSmtpSender>[1]

export const SMTP: Smtp = { from_address: 'no-reply@app.example', headers: {}, local_name: 'localhost' }
/** Milliseconds, on a busy machine. */
export const PATIENT = { connect: 20_000, greeting: 20_000, socket: 20_000, mail: 60_000 }
/** For a silent server. */
export const QUICK = { connect: 300, greeting: 300, socket: 600, mail: 1000 }

export const MAIL: OutgoingMail = {
  id: '5f0c7a52-0b8e-4b0e-9d0e-3f1f5a3c9b11',
  recipient: 'ada@example.com',
  subject: '004217 is your Example App code',
  text: '004217 is your Example App code.\n\nGrüße\n.\nend\n',
  html: '<!doctype html><p>004217</p>',
  created_at: '2026-01-02T03:04:05.000Z',
  channel: 'email',
  template_type: 'login_code_valid',
}

export function senderTo(t: TestContext, uri: string, smtp: Partial<Smtp> = {}, limits = PATIENT) {
  const sender = createSmtpSender(uri, { ...SMTP, ...smtp }, limits)
  t.after(() => sender.close())
  return (mail: Partial<OutgoingMail> = {}) => sender.send({ ...MAIL, ...mail })
}

export async function server(t: TestContext, ...parts: Parameters<typeof startMailServer>) {
  const started = await startMailServer(...parts)
  t.after(() => started.stop())
  return started
}
