import { Configuration, CourierApi, FrontendApi, IdentityApi, ResponseError } from '@ory/client-fetch'
import { Absent, type Target } from './target.ts'

/** Scripts with the SDK and navigations share cookies. */
export interface Browser {
  readonly api: FrontendApi
  readonly cookies: ReadonlyMap<string, string>
  /** Without following redirects. */
  navigate(url: string): Promise<Page>
  post(url: string, fields: Readonly<Record<string, string>>): Promise<Page>
}

interface Page {
  readonly status: number
  readonly location: string
  readonly setCookies: readonly string[]
}

export function openBrowser({ publicUrl }: Target): Browser {
  const cookies = new Map<string, string>()
  const send: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await fetch(input, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) keep(cookies, line)
    return response
  }
  const asPage = async (url: string, init: RequestInit) => {
    const address = url.startsWith('http') ? url : publicUrl + url
    const response = await send(address, { ...init, headers: { accept: 'text/html', ...init.headers } })
    await response.arrayBuffer()
    const { status, headers } = response
    return { status, location: headers.get('location') ?? '', setCookies: headers.getSetCookie() }
  }
  return {
    api: new FrontendApi(configuration(publicUrl, { fetchApi: send })),
    cookies,
    navigate: (url) => asPage(url, { method: 'GET' }),
    post: (url, fields) => asPage(url, { method: 'POST', body: new URLSearchParams(fields) }),
  }
}

/** A session token instead of cookies. */
export function openApp({ publicUrl }: Target): FrontendApi {
  return new FrontendApi(configuration(publicUrl, { fetchApi: fetch }))
}

/** Skips the scenario without its address. */
export function openAdmin({ adminUrl, adminToken }: Target): { users: IdentityApi; mails: CourierApi } {
  if (adminUrl === undefined) throw new Absent('--admin was not given')
  const token = adminToken === undefined ? {} : { accessToken: adminToken }
  const of = configuration(adminUrl, { fetchApi: fetch, ...token })
  return { users: new IdentityApi(of), mails: new CourierApi(of) }
}

export function openSchemas({ publicUrl }: Target): IdentityApi {
  return new IdentityApi(configuration(publicUrl, { fetchApi: fetch }))
}

export interface Refusal {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: refusals are flows, errors, or neither
  readonly body: any
}

export async function refused(call: Promise<unknown>): Promise<Refusal> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (outcome === undefined) throw new Error('the call should have been refused, and was answered')
  if (!(outcome instanceof ResponseError)) throw outcome
  const text = await outcome.response.text()
  const isJson = outcome.response.headers.get('content-type')?.includes('json')
  return { status: outcome.response.status, body: isJson ? JSON.parse(text) : text }
}

function configuration(basePath: string, more: { fetchApi: typeof fetch; accessToken?: string }) {
  return new Configuration({ basePath, headers: { Accept: 'application/json' }, ...more })
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(/;\s*/)
  const [name = '', value = ''] = pair.split(/=(.*)/s)
  const isOver = attributes.some((one) => /^max-age=(0|-\d+)$/i.test(one)) || value === ''
  if (isOver) cookies.delete(name)
  else cookies.set(name, value)
}
