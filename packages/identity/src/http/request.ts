import type { Context as HonoContext } from 'hono'
import type { TrustedProxies } from '../config/trusted-proxies.ts'
import type { Caller, CallerCsrf, RawRequest, SessionCredential } from '../contract/caller.ts'
import type { Context } from '../contract/contract.ts'
import { isCsrfSecret, newCsrfSecret } from '../crypto/csrf.ts'
import { newId } from '../crypto/random.ts'
import { addressAndPort, canonicalAddress, clientAddress } from './client-address.ts'
import {
  cookiePairs,
  csrfCookieName,
  deviceCookieName,
  readContinuityTokens,
  readCookie,
  readSessionCookies,
} from './cookies.ts'
import { isForeignOrigin, negotiate } from './headers.ts'

export interface Bindings {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: string; readonly remotePort?: number } }
  readonly outgoing?: { getHeader(name: string): unknown }
  /** On the admin port: a call of the embedding server, which the audit list of operators omits. */
  readonly unrecorded?: true
}

export interface Variables {
  readonly caller: Caller
  /** The account of an operator's call whose path does not name it. */
  readonly identity_id?: string
  /** The members of the account that an operator's call changed, without their values. */
  readonly changes?: string
}

export type Http = HonoContext<{ Bindings: Bindings; Variables: Variables }>

/** Reads each part lazily, because session look-ups need few of them. Saves a third of one through `fetch`. */
export function readCaller(
  ctx: Context,
  c: Http,
  proxies = ctx.config.serve.public.trusted_proxies ?? 0,
): Caller {
  const cookies = c.req.header('cookie')
  const negotiated = memoize(() => negotiate(c.req.header('accept'), [PAGE_TYPE, 'text/*', '*/*', JSON_TYPE]))
  const json = memoize(() => negotiated() === JSON_TYPE || c.req.header('content-type') === JSON_TYPE)
  const credential = memoize(() => readCredential(ctx, (name) => c.req.header(name)))
  const csrf = memoize(() => readCsrf(ctx, c, cookies))
  const request_id = memoize(() => readRequestId(c))
  return {
    get json() {
      return json()
    },
    get accepts_json() {
      return negotiate(c.req.header('accept'), [PAGE_TYPE, JSON_TYPE]) === JSON_TYPE
    },
    get accepts_page() {
      return negotiated() === PAGE_TYPE
    },
    get url() {
      return ownPath(c) + new URL(c.req.url).search
    },
    get credential() {
      return credential()
    },
    get csrf() {
      return csrf()
    },
    get continuity_tokens() {
      return readContinuityTokens(ctx.config, cookies)
    },
    get request_id() {
      return request_id()
    },
    get client_address() {
      return readClientAddress(c, proxies)
    },
    get device() {
      return readDevice(c, proxies)
    },
    get device_cookie() {
      return readCookie(cookies, deviceCookieName(ctx.config))
    },
    get origin() {
      return c.req.header('origin')
    },
    get cookie_names() {
      return cookieNames(cookies)
    },
    get raw() {
      return readRaw(c, cookies)
    },
  }
}

const JSON_TYPE = 'application/json'
const PAGE_TYPE = 'text/html'

function memoize<T>(make: () => T): () => T {
  let computed: { readonly value: T } | undefined
  return () => {
    computed ??= { value: make() }
    return computed.value
  }
}

export function ownPath(c: Http): string {
  const { pathname } = new URL(c.req.url)
  const start = pathname.search(
    /\/(self-service|sessions|schemas|health|admin|identities|version|\.well-known)(\/|$)/,
  )
  return start < 0 ? pathname : pathname.slice(start)
}

/** The admin port serves each path with and without its prefix. */
export function withoutPrefix(path: string): string {
  return path.replace(/^\/admin(?=\/)/, '')
}

/** Kratos compatibility: without the prefix, slashes may be doubled or at the end. */
export function withoutSlashes(path: string): string {
  return path.startsWith('/admin') ? path : path.replaceAll(/\/+/g, '/').replace(/(.)\/$/, '$1')
}

/** The path of a call to the admin port, without its prefix. */
export function barePath(c: Http): string {
  return withoutPrefix(withoutSlashes(ownPath(c)))
}

export function adminPath(c: Http): string {
  return `/admin${barePath(c)}`
}

export function readCredential(
  ctx: Pick<Context, 'config' | 'secrets'>,
  header: (name: string) => string | undefined,
): SessionCredential | undefined {
  const token = header('x-session-token')
  if (token) return { from: 'header', token }
  const [cookie, ...others] = readSessionCookies(ctx, header('cookie'))
  if (cookie) return others.length === 0 ? cookie : { ...cookie, others }
  const bearer = /^bearer ([^\s]+)$/i.exec(header('authorization') ?? '')?.[1]
  return bearer === undefined ? undefined : { from: 'bearer', token: bearer }
}

function readCsrf(ctx: Context, c: Http, cookies: string | undefined): CallerCsrf {
  const value = readCookie(cookies, csrfCookieName(ctx.config))
  const sent = value !== undefined && isCsrfSecret(value)
  const mode = c.req.header('sec-fetch-mode')
  return {
    secret: sent ? value : newCsrfSecret(),
    sent,
    cookie_header: cookies !== undefined,
    ajax: mode === 'cors' || mode === 'same-origin',
    foreign_origin: isForeignOrigin(ctx, {
      origin: c.req.header('origin'),
      site: c.req.header('sec-fetch-site'),
    }),
  }
}

/** A CDN's cookies do not count. */
function cookieNames(header: string | undefined): string[] {
  const ownPairs = cookiePairs(header ?? '').filter((pair) => pair !== '' && !/^(__cf|_cf|cf_)/.test(pair))
  return ownPairs.map((pair) => pair.replace(/=.*/s, ''))
}

function readRaw(c: Http, cookies: string | undefined): RawRequest {
  const canonical = (name: string) => name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
  const pairs = cookiePairs(cookies ?? '').map((pair) => pair.split('='))
  const named = pairs.filter(([name, ...value]) => name !== '' && value.length > 0)
  return {
    method: c.req.method,
    headers: Object.fromEntries([...c.req.raw.headers].map(([name, value]) => [canonical(name), [value]])),
    cookies: Object.fromEntries(named.map(([name, ...value]) => [name, value.join('=')])),
  }
}

const LONGEST_HEADER = 512

/** An embedding server sets it on its response. */
function readRequestId(c: Http): string {
  const requestId = c.env?.outgoing?.getHeader('x-request-id')
  return typeof requestId === 'string' ? requestId : newId()
}

function readClientAddress(c: Http, proxies: TrustedProxies): string | undefined {
  const peer = {
    address: c.env?.incoming?.socket?.remoteAddress,
    header: (name: string) => c.req.header(name),
  }
  return clientAddress(peer, proxies)
}

/** Only the direct peer's port is known. */
function readDevice(c: Http, proxies: TrustedProxies): Caller['device'] {
  const { remoteAddress = '', remotePort = 0 } = c.env?.incoming?.socket ?? {}
  const address = readClientAddress(c, proxies) ?? ''
  const isPeer = address !== '' && address === canonicalAddress(remoteAddress)
  return {
    ip_address: isPeer ? addressAndPort(address, remotePort) : address,
    user_agent: (c.req.header('user-agent') ?? '').slice(0, LONGEST_HEADER),
    location: '',
  }
}
