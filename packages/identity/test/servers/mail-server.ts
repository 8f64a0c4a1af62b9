import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface ReceivedMail {
  readonly from: string
  readonly to: string
  readonly message_id: string
  /** As transferred. */
  readonly data: string
}

export interface Faults {
  readonly on_connect?: () => number | undefined
  readonly on_recipient?: (address: string) => number | undefined
  readonly on_data?: () => number | 'drop' | 'lose_answer' | undefined
}

export interface MailServer {
  readonly port: number
  /** Without TLS. */
  readonly uri: string
  readonly received: readonly ReceivedMail[]
  transcript(): string
  stop(): Promise<void>
}

export async function startMailServer(
  faults: Faults = {},
  { port = 0, ...options }: SMTPServerOptions & { readonly port?: number } = {},
): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  const written: Buffer[] = []
  const hangUp = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 1,
    logger: false,
    ...options,
    onConnect: (_session, done) => done(refusal(faults.on_connect?.())),
    onRcptTo: ({ address }, _session, done) => done(refusal(faults.on_recipient?.(address))),
    onData(stream, { envelope }, done) {
      const fault = faults.on_data?.()
      if (fault === 'drop') return void stream.once('data', hangUp)
      text(stream).then((data) => {
        if (typeof fault === 'number') return done(refusal(fault, /^subject: (.*)/im.exec(data)?.[1]))
        received.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address).join(' and '),
          message_id: /^message-id: (\S+)/im.exec(data)?.[1] ?? '',
          data,
        })
        return fault === 'lose_answer' ? hangUp() : done()
      }, done)
    },
  })
  server.on('error', () => undefined)
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)))
    socket.on('data', (chunk) => written.push(chunk))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.server.address() as AddressInfo
  return {
    port: address.port,
    uri: `smtp://127.0.0.1:${address.port}/?disable_starttls=true`,
    received,
    transcript: () => Buffer.concat(written).toString(),
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve)
        hangUp()
      }),
  }
}

/** Some filters quote the email. */
function refusal(code: number | undefined, quote = 'this'): Error | null {
  return code === undefined ? null : Object.assign(new Error(`not taken: ${quote}`), { responseCode: code })
}
