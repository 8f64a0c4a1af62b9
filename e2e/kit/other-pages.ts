import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@ostiary/identity/testing/servers/free-port'
import { listenOnLoopback } from '@ostiary/identity/testing/servers/loopback'
import { formPage, type Page, plainPage, type WireFlow, type Wiring } from './form-page.ts'
import { launch, machine } from './product.ts'

export interface OtherPages {
  readonly url: string
  readonly identity_url: string
  mail(email: string): Promise<{ readonly code: string; readonly link: string }>
  stop(): Promise<void>
}

/**
 * A password and keys; a password, emailed codes, authenticator apps and backup codes; or those in
 * two steps.
 */
export type Ways = 'keys' | 'codes' | 'steps'

/** A browser chooses by this cookie. */
export const WIRING = 'wiring'

/** Server-rendered, one element per node, with the identity service alone. */
export async function startOtherPages(ways: Ways): Promise<OtherPages> {
  const folder = await mkdtemp(join(tmpdir(), 'my-app-pages-'))
  const [port, adminPort] = [await freePort(), await freePort()]
  const identity_url = `http://localhost:${port}`
  const server = await listenOnLoopback((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', identity_url)
    const visit = { identity_url, cookie: request.headers.cookie ?? '', id: searchParams.get('flow') }
    answer(pathname.slice(1), visit, response).catch(() => response.destroy())
  })
  const url = `http://localhost:${server.port}`
  const file = join(folder, 'kratos.json')
  await writeFile(file, JSON.stringify(configFor(ways, { url, identity_url, adminPort })))
  const identity = await launch(['scripts/run.mjs', 'identity', '--config', file], machine(), identity_url)
  return {
    url,
    identity_url,
    mail: (email) => newestMail(adminPort, email),
    async stop() {
      await server.close()
      await identity.end()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function newestMail(adminPort: number, email: string) {
  const response = await fetch(`http://127.0.0.1:${adminPort}/admin/courier/messages`)
  const messages = (await response.json()) as { recipient: string; body: string }[]
  const body = messages.find(({ recipient }) => recipient === email)?.body ?? ''
  return {
    code: /\b\d{6}\b/.exec(body)?.[0] ?? '',
    link: /https?:\/\/[^\s"<>]+/.exec(body)?.[0].replaceAll('&amp;', '&') ?? '',
  }
}

const user = {
  type: 'object',
  properties: {
    traits: {
      type: 'object',
      properties: {
        email: {
          type: 'string',
          format: 'email',
          title: 'Email',
          'ory.sh/kratos': {
            credentials: {
              password: { identifier: true },
              webauthn: { identifier: true },
              passkey: { display_name: true },
              code: { identifier: true, via: 'email' },
            },
            verification: { via: 'email' },
            recovery: { via: 'email' },
          },
        },
      },
      required: ['email'],
    },
  },
}

interface Addresses {
  readonly url: string
  readonly identity_url: string
  readonly adminPort: number
}

function configFor(ways: Ways, { url, identity_url, adminPort }: Addresses) {
  const codes = ways !== 'keys'
  const steps = ways === 'steps'
  const rp = { id: 'localhost', display_name: 'Other pages', origins: [url] }
  const session = { hooks: [{ hook: 'session' }] }
  return {
    dsn: 'memory',
    // Messages are readable.
    dev: codes,
    log: { level: 'error' },
    serve: {
      public: {
        host: '127.0.0.1',
        port: Number(new URL(identity_url).port),
        base_url: identity_url,
        // A script with `crossorigin` and `integrity` is read, so its origin must allow the page's.
        cors: { enabled: true, allowed_origins: [url] },
      },
      admin: { host: '127.0.0.1', port: adminPort },
    },
    secrets: { default: [randomBytes(32).toString('base64')] },
    session: { whoami: { required_aal: 'highest_available' } },
    identity: { schemas: [{ id: 'person', schema: user }], default_schema_id: 'person' },
    selfservice: {
      texts: 'own',
      default_browser_return_url: `${url}/`,
      methods: {
        password: { config: { haveibeenpwned_enabled: false } },
        code: { enabled: codes, passwordless_enabled: codes },
        totp: { enabled: codes, config: { issuer: 'Other pages' } },
        lookup_secret: { enabled: codes },
        passkey: { enabled: !codes, config: { rp } },
        webauthn: { enabled: !codes, config: { passwordless: false, rp } },
      },
      flows: {
        login: { style: steps ? 'identifier_first' : 'unified' },
        registration: {
          style: steps ? 'profile_first' : 'unified',
          after: { password: session, passkey: session, code: session },
        },
        verification: { enabled: codes },
        recovery: { enabled: codes },
        settings: { required_aal: 'highest_available' },
      },
    },
  }
}

interface Visit {
  readonly identity_url: string
  readonly cookie: string
  /** The flow's. */
  readonly id: string | null
}

async function answer(path: string, visit: Visit, response: ServerResponse): Promise<void> {
  const nextPage = await openPage(path, visit)
  if (typeof nextPage === 'string') response.writeHead(303, { Location: nextPage }).end()
  else {
    const headers = { 'Content-Type': 'text/html; charset=UTF-8', 'Content-Security-Policy': nextPage.policy }
    response.writeHead(200, headers).end(nextPage.html)
  }
}

async function openPage(path: string, visit: Visit): Promise<Page | string> {
  if (path === '') return await home(visit)
  if (path === 'logout') {
    const { logout_url } = await fetchJson<{ logout_url: string }>(visit, '/self-service/logout/browser')
    return logout_url
  }
  if (!FORMS.includes(path)) return plainPage('Not found', [path], [])
  if (visit.id === null) return `${visit.identity_url}/self-service/${path}/browser`
  const flow = await fetchJson<WireFlow & Refusal>(visit, `/self-service/${path}/flows?id=${visit.id}`)
  const wiring: Wiring = visit.cookie.includes(`${WIRING}=names`) ? 'names' : 'code'
  return flow.redirect_browser_to ?? formPage(path, flow, wiring, path === 'settings')
}

const FORMS = ['login', 'registration', 'settings', 'verification', 'recovery']

interface Refusal {
  readonly redirect_browser_to?: string
}

interface Session extends Refusal {
  readonly authenticator_assurance_level?: string
  readonly authentication_methods?: readonly { readonly method: string }[]
  readonly identity?: { readonly traits: { readonly email: string } }
}

async function home(visit: Visit): Promise<Page | string> {
  const session = await fetchJson<Session>(visit, '/sessions/whoami')
  if (session.redirect_browser_to !== undefined) return session.redirect_browser_to
  if (!session.identity) return plainPage('Not signed in', [], ['login', 'registration'])
  const methods = (session.authentication_methods ?? []).map(({ method }) => method).join(', ')
  const proved = `${session.authenticator_assurance_level} by ${methods}`
  return plainPage('Signed in', [session.identity.traits.email, proved], ['settings', 'logout'])
}

async function fetchJson<Answer>({ identity_url, cookie }: Visit, path: string): Promise<Answer> {
  const response = await fetch(`${identity_url}${path}`, { headers: { Accept: 'application/json', cookie } })
  return (await response.json()) as Answer
}
