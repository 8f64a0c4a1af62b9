/** Keeps cookies, and sends what our pages' scripts send. */
export interface Visitor {
  readonly cookies: Map<string, string>
  /** Status line, headers and body. */
  readonly answers: string[]
  get(address: string, headers?: Record<string, string>): Promise<Answered>
  post(address: string, body: object, headers?: Record<string, string>): Promise<Answered>
}

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

export interface OpenFlow {
  readonly id: string
  readonly request_url: string
  readonly ui: {
    readonly action: string
    readonly nodes: readonly { readonly attributes: { readonly name?: string; readonly value?: string } }[]
  }
}

interface Body extends Partial<OpenFlow> {
  readonly state?: string
  readonly session?: { readonly identity: { readonly traits: object } }
  readonly tokenized?: string
  readonly logout_url?: string
  readonly redirect_browser_to?: string
  readonly continue_with?: readonly {
    readonly action: string
    readonly flow?: { readonly id: string; readonly url: string }
    readonly redirect_browser_to?: string
  }[]
  readonly error?: { readonly message: string }
}

/** URLs of `public_url` are requested at `base`. */
export function createVisitor(base: string, public_url: string): Visitor {
  const cookies = new Map<string, string>()
  const answers: string[] = []

  async function send(address: string, init: RequestInit): Promise<Answered> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(address.replace(public_url, base), {
      redirect: 'manual',
      ...init,
      headers: { accept: 'application/json', ...(cookie === '' ? {} : { cookie }), ...init.headers },
    })
    for (const line of response.headers.getSetCookie()) keep(cookies, line)
    const text = await response.text()
    answers.push([response.status, ...response.headers, text].join('\n'))
    const isJson = response.headers.get('content-type')?.includes('json')
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? (JSON.parse(text) as Body) : {},
    }
  }

  return {
    cookies,
    answers,
    get: (address, headers = {}) => send(address, { headers }),
    post: (address, body, headers = {}) =>
      send(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: public_url, ...headers },
        body: JSON.stringify(body),
      }),
  }
}

function keep(cookies: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
  if (/max-age=0/i.test(line)) cookies.delete(name)
  else cookies.set(name, value)
}
