import type { Bindings } from '../http/request.ts'
import type { FlowKind } from '../wire/wire.ts'
import { type Answer, answerOf, type FlowAnswer, JSON_BODY, tokenOf } from './answers.ts'

/** The password of every user that the kit creates. */
export const PASSWORD = 'correct horse 9 battery'

/** Sends a request to a path or an absolute URL, without following redirects. */
export type Send = (url: string, init: RequestInit, bindings: Bindings) => Response | Promise<Response>

export interface Sending {
  readonly headers?: Record<string, string>
  /** A body to send unchanged. */
  readonly raw?: string
}

/** Acts as a page's script, or as the browser itself in `navigate` and `post`. */
export class Browser {
  readonly cookies = new Map<string, string>()
  address = newAddress()
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Signs requests to the server under test in as this browser's user. */
  get headers(): Record<string, string> {
    return { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
  }

  /** With the same cookies. */
  twin(): Browser {
    const twin = new Browser(this.#send)
    twin.address = this.address
    for (const [name, value] of this.cookies) twin.cookies.set(name, value)
    return twin
  }

  async open(kind: FlowKind, query = ''): Promise<FlowAnswer> {
    return await this.get(`/self-service/${kind}/browser${query}`)
  }

  get(path: string, sending: Sending = {}): Promise<Answer> {
    return this.send('GET', path, undefined, sending)
  }

  delete(path: string): Promise<Answer> {
    return this.send('DELETE', path, undefined, {})
  }

  /** Submits to the flow's own action with its CSRF token. */
  submit(flow: FlowAnswer, values: object, sending: Sending = {}): Promise<FlowAnswer> {
    const body = { csrf_token: tokenOf(flow), ...values }
    return this.send('POST', flow.body.ui.action, body, sending)
  }

  async send(method: string, path: string, body: unknown, sending: Sending): Promise<Answer> {
    return await this.#request(method, path, {
      accept: 'application/json',
      ...(body === undefined ? {} : JSON_BODY),
      body: sending.raw ?? (body === undefined ? undefined : JSON.stringify(body)),
      headers: sending.headers,
    })
  }

  navigate(path: string): Promise<Answer> {
    return this.#request('GET', path, { accept: 'text/html' })
  }

  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Answer> {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    return this.#request('POST', path, {
      accept: 'text/html',
      ...type,
      body: new URLSearchParams(fields).toString(),
      headers,
    })
  }

  async signIn(email: string, password = PASSWORD): Promise<Answer> {
    return await this.submit(await this.open('login'), { method: 'password', identifier: email, password })
  }

  async register(email: string, password = PASSWORD): Promise<Answer> {
    const flow = await this.open('registration')
    return await this.submit(flow, { method: 'password', password, traits: { email } })
  }

  whoami(query = ''): Promise<Answer> {
    return this.get(`/sessions/whoami${query}`)
  }

  async #request(method: string, path: string, options: RequestOptions): Promise<Answer> {
    const { body, headers, accept, 'content-type': type } = options
    const sent: Record<string, string> = { accept, ...(type ? { 'content-type': type } : {}), ...headers }
    if (this.cookies.size > 0) sent.cookie ??= this.headers.cookie ?? ''
    const init = { method, headers: sent, ...(body === undefined ? {} : { body }) }
    const response = await this.#send(path, init, from(this.address))
    this.#keep(response)
    return await answerOf(response)
  }

  #keep(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ')
      const name = pair.slice(0, pair.indexOf('='))
      const ended = attributes.includes('Max-Age=0')
      if (ended) this.cookies.delete(name)
      else this.cookies.set(name, pair.slice(name.length + 1))
    }
  }
}

interface RequestOptions {
  readonly accept: string
  readonly 'content-type'?: string
  readonly body?: string | undefined
  readonly headers?: Record<string, string> | undefined
}

/** Sends JSON, and a token in a header instead of cookies. */
export class App {
  token: string | undefined
  address = newAddress()
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Signs requests to the server under test in as this app's user. */
  get headers(): Record<string, string> {
    return this.token === undefined ? {} : { 'x-session-token': this.token }
  }

  open(kind: FlowKind, query = ''): Promise<FlowAnswer> {
    return this.send('GET', `/self-service/${kind}/api${query}`)
  }

  submit(flow: FlowAnswer, values: object, headers: Record<string, string> = {}): Promise<FlowAnswer> {
    return this.send('POST', flow.body.ui.action, values, headers)
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const sent = {
      accept: 'application/json',
      ...(body === undefined ? {} : JSON_BODY),
      ...this.headers,
      ...headers,
    }
    const init = { method, headers: sent, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    return await answerOf(await this.#send(path, init, from(this.address)))
  }

  async signIn(email: string, password = PASSWORD, headers: Record<string, string> = {}): Promise<Answer> {
    const flow = await this.open('login')
    const values = { method: 'password', identifier: email, password }
    const done: Answer = await this.submit(flow, values, headers)
    if (done.status === 200) this.token = done.body.session_token
    return done
  }

  async register(email: string, password = PASSWORD): Promise<Answer> {
    const flow = await this.open('registration')
    return await this.submit(flow, { method: 'password', password, traits: { email } })
  }
}

let clients = 0

/** Each client has its own address, because limits depend on it. */
function newAddress(): string {
  clients += 1
  return `10.${(clients >> 8) & 255}.${clients & 255}.1`
}

/** The shape in which Node's server passes it. */
function from(remoteAddress: string): Bindings {
  return { incoming: { socket: { remoteAddress, remotePort: 4711 } } }
}
