import { connect } from 'node:net'

export interface Answer {
  readonly status: number
  readonly body: string
}

export interface Connection {
  exchange(request: string): Promise<Answer>
  close(): void
}

/**
 * A load generator shares the processor with what it measures, and Node's own client takes longer
 * than the service.
 */
export async function openConnection(port: number, localAddress = '127.0.0.1'): Promise<Connection> {
  const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true })
  let received = ''
  let pendingAnswer: { resolve(answer: Answer): void; reject(error: Error): void } | undefined
  socket.setEncoding('latin1')
  socket.on('data', (text: string) => {
    received += text
    const answer = readAnswer(received)
    if (!answer) return
    received = ''
    pendingAnswer?.resolve(answer)
  })
  const fail = (error: Error) => pendingAnswer?.reject(error)
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('the server closed the connection')))
  return {
    exchange: (request) =>
      new Promise((resolve, reject) => {
        pendingAnswer = { resolve, reject }
        socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}

export function requestText(
  port: number,
  method: string,
  path: string,
  headers: object = {},
  body?: object,
): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const allHeaders = {
    Host: `localhost:${port}`,
    Accept: 'application/json',
    ...headers,
    ...(body && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
  }
  const lines = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`
}

function readAnswer(text: string): Answer | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const status = Number(text.slice(9, 12))
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1]
  const body = text.slice(end + 4)
  if (length !== undefined) return body.length >= Number(length) ? { status, body } : undefined
  if (status === 204 || status === 304) return { status, body: '' }
  return body.endsWith('0\r\n\r\n') ? { status, body: joinChunks(body) } : undefined
}

function joinChunks(text: string): string {
  const chunks: string[] = []
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\r\n', at)
    const length = Number.parseInt(text.slice(at, end), 16)
    if (!(length > 0)) break
    chunks.push(text.slice(end + 2, end + 2 + length))
    at = end + length + 4
  }
  return chunks.join('')
}
