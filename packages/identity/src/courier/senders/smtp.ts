import type { Readable } from 'node:stream'
import { domainToASCII } from 'node:url'
import type {
  createTransport as Connect,
  NodemailerError,
  SendMailOptions,
  SMTPPoolOptions,
} from 'nodemailer'
import { ConfigError } from '../../config/checks/config-error.ts'
import type { Config } from '../../config/config.ts'
import { mailbox } from '../../identities/addresses/mailbox.ts'
import { withoutBrackets } from '../../input/host.ts'
import type { Delivery, OutgoingMail, Sender } from './sender.ts'

/** Timeouts in milliseconds. */
export interface SmtpLimits {
  readonly connect: number
  readonly greeting: number
  /** Timeout of inactivity. */
  readonly socket: number
  /** For a whole message, because a server may respond byte by byte. */
  readonly mail: number
}

const LIMITS: SmtpLimits = { connect: 5000, greeting: 5000, socket: 10_000, mail: 60_000 }

let createTransport: typeof Connect | undefined

export async function loadSmtp(): Promise<void> {
  createTransport ??= (await import('nodemailer')).createTransport
}

/**
 * `smtp://` requires STARTTLS unless `disable_starttls=true`, as in Ory Kratos. Throws `ConfigError` for an
 * invalid URI or sender.
 */
export function createSmtpSender(
  connection_uri: string,
  smtp: Config['courier']['smtp'],
  limits: SmtpLimits = LIMITS,
): Sender {
  const from = mailbox(smtp.from_address)
  if (from === undefined) {
    throw new ConfigError([{ path: 'courier.smtp.from_address', message: 'expected an email address' }])
  }
  if (!createTransport) throw new Error('call loadSmtp before createSmtpSender')
  const options = { ...connection(connection_uri), ...session(smtp, limits) }
  const transport = createTransport(options)
  const streams = new Map<unknown, Readable>()
  transport.use('stream', (mail, done) => {
    mail.message.processFunc((stream) => {
      streams.set(mail.data.messageId, stream)
      return stream
    })
    done()
  })
  return {
    close: () => transport.close({ force: true }),
    async send(mail) {
      const to = mailbox(mail.recipient)
      if (to === undefined) return { kind: 'refused', reason: 'the recipient is not a valid email address' }
      const messageId = `<${mail.id}@${from.slice(from.lastIndexOf('@') + 1)}>`
      const signal = AbortSignal.timeout(limits.mail)
      try {
        if (!/^\p{ASCII}*$/u.test(to) && !(await acceptsUnicode(options)))
          return { kind: 'refused', reason: 'the mail server accepts ASCII addresses only (no SMTPUTF8)' }
        await transport.sendMail({ ...compose(mail, smtp, { from, to }), messageId, signal })
        return { kind: 'sent' }
      } catch (error) {
        return deliveryFor(error as NodemailerError, streams.get(messageId)?.readableDidRead === true)
      } finally {
        streams.delete(messageId)
      }
    },
  }
}

/** Asks the server (RFC 6531), because Nodemailer sends such an address to any. */
async function acceptsUnicode(options: SMTPPoolOptions & { pool: true }): Promise<boolean> {
  const lines: string[] = []
  const write = (_entry: unknown, line: unknown) => void lines.push(String(line))
  const levels = { trace: write, debug: write, info: write, warn: write, error: write, fatal: write }
  const probe = createTransport?.({ ...options, debug: true, logger: { level: () => {}, ...levels } })
  try {
    await probe?.verify()
  } finally {
    probe?.close({ force: true })
  }
  return lines.some((line) => /^250[ -]SMTPUTF8\b/im.test(line))
}

/**
 * Connects, negotiates TLS and authenticates, without sending a message. Returns the problem in one line without
 * secrets. Throws `ConfigError` for an invalid URI.
 */
export async function checkMailServer(connection_uri: string): Promise<string | undefined> {
  await loadSmtp()
  const smtp = { from_address: 'doctor@localhost', headers: {}, local_name: 'localhost' }
  const transport = createTransport?.({ ...connection(connection_uri), ...session(smtp, LIMITS) })
  try {
    await transport?.verify()
    return undefined
  } catch (error) {
    return explain(error as NodemailerError)
  } finally {
    transport?.close({ force: true })
  }
}

function connection(connection_uri: string): SMTPPoolOptions {
  try {
    const url = new URL(connection_uri)
    const isSetInUrl = (name: string) => url.searchParams.get(name) === 'true'
    const secure = url.protocol === 'smtps:'
    const name = withoutBrackets(decodeURIComponent(url.hostname))
    // Only URLs of the web are converted by the parser. IP addresses stay as they are.
    const host = domainToASCII(name) || name
    const user = decodeURIComponent(url.username)
    return {
      host,
      port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
      secure,
      ignoreTLS: !secure && isSetInUrl('disable_starttls'),
      requireTLS: !secure && !isSetInUrl('disable_starttls'),
      servername: url.searchParams.get('server_name') ?? undefined,
      auth: user === '' ? undefined : { user, pass: decodeURIComponent(url.password) },
      tls: { rejectUnauthorized: !isSetInUrl('skip_ssl_verify') },
    }
  } catch {
    // No cause: it quotes the URI with its password.
    const message = 'expected smtp://user:password@host:port/ with special characters percent-encoded'
    throw new ConfigError([{ path: 'courier.smtp.connection_uri', message }])
  }
}

function session(smtp: Config['courier']['smtp'], limits: SmtpLimits): SMTPPoolOptions & { pool: true } {
  return {
    pool: true,
    // One retry, because the server may have closed an idle connection.
    maxRequeues: 1,
    idleTimeout: 30_000,
    name: smtp.local_name,
    connectionTimeout: limits.connect,
    dnsTimeout: limits.connect,
    greetingTimeout: limits.greeting,
    socketTimeout: limits.socket,
  }
}

function compose(
  mail: OutgoingMail,
  smtp: Config['courier']['smtp'],
  { from, to }: { readonly from: string; readonly to: string },
): SendMailOptions {
  return {
    // The recipient must never be parsed from a header (SEC-09).
    envelope: { from: { address: from }, to: [{ address: to }] },
    from: { name: smtp.from_name ?? '', address: from },
    to: { name: '', address: to },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    date: new Date(mail.created_at),
    // RFC 3834, 5: suppresses auto-replies.
    headers: { ...smtp.headers, 'Auto-Submitted': 'auto-generated' },
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Replies that any message would get. RFC 4954, 6. */
const ABOUT_THE_SESSION = [421, 503, 530, 534, 535, 538]

function deliveryFor(error: NodemailerError, begun: boolean): Delivery {
  const reason = explain(error)
  const code = error.responseCode
  const isAboutMessage = error.command === 'RCPT TO' || error.command === 'DATA'
  if (isAboutMessage && code !== undefined && !ABOUT_THE_SESSION.includes(code)) {
    return { kind: error.permanent === true ? 'refused' : 'postponed', reason }
  }
  // The message may have caused the failure, and may have arrived.
  if (begun) return { kind: 'postponed', reason }
  return { kind: 'unreachable', reason }
}

function explain(error: NodemailerError): string {
  const remedy = REMEDIES.find(([pattern]) => pattern.test(error.message))?.[1]
  return [readable(error), remedy].filter(Boolean).join('; ')
}

/** Matched against errors of Nodemailer, Node and OpenSSL, and the server's reply. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/issue a STARTTLS/i, 'remove ?disable_starttls=true from the URL of the mail server'],
  [/ 530 .*authenticat/i, 'add user:password@ to the URL of the mail server'],
  [
    /^Mail command failed: 55[03]|^Recipient command failed: 5.*Sender address rejected/i,
    "check that the server may send for the sender's address (MAIL_FROM, or courier.smtp.from_address)",
  ],
  // Replies may quote the recipient.
  [
    /^(?!\w+ command failed).*STARTTLS/,
    'to send without TLS, add ?disable_starttls=true to the URL of the mail server',
  ],
  [
    /^(?!\w+ command failed).*certificate/,
    'add ?server_name=… with the name in the certificate to the URL of the mail server, or in your own network ?skip_ssl_verify=true',
  ],
  [/wrong version number/, 'the port does not begin with TLS: use smtp:// instead of smtps://'],
  [
    /^(TLS handshake timed out|Connection timeout)/,
    'check the host and the port in the URL of the mail server: smtps:// is for TLS from the start, such as on port 465, smtp:// for STARTTLS, such as on port 587',
  ],
  [/Greeting never received/, 'if the port begins with TLS, such as 465, use smtps:// instead of smtp://'],
]

/** One line without the code, which some filters quote with the subject. */
function readable(error: NodemailerError): string {
  return error.message
    .replace(/\d{6,}/g, '…')
    .replace(/[\p{C}\s]+/gu, ' ')
    .slice(0, 200)
}
