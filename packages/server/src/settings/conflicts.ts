import type { Settings } from './env.ts'
import { isLoopback } from './env-values.ts'

interface ExplicitSettings {
  readonly public_url: boolean
}

export function findConflicts(settings: Settings, explicit: ExplicitSettings): string[] {
  return [
    ...findPortConflicts(settings),
    ...findIdentityUrlConflicts(settings),
    ...findSecretConflicts(settings),
    ...findAdminPortConflicts(settings),
    ...findDemoConflicts(settings),
    ...findPublicUrlConflicts(settings, explicit),
    ...findMailConflicts(settings),
    ...findCookieDomainConflicts(settings),
    ...findDatabaseConflicts(settings),
  ]
}

function* findPortConflicts({ port, admin_port }: Settings) {
  if (port === admin_port) yield `PORT and ADMIN_PORT are both ${port}. Give one of them another number.`
}

function* findIdentityUrlConflicts({ identity_url, identity_jwks_url, public_url }: Settings) {
  if (identity_jwks_url !== undefined && identity_url === undefined)
    yield 'IDENTITY_JWKS_URL goes with IDENTITY_URL. Set both, or remove it.'
  // Every request would loop.
  if (`${identity_url}/`.startsWith(`${public_url}/.ory/`))
    yield 'IDENTITY_URL is this app itself. Set it to the address of the other service.'
}

function* findSecretConflicts({ production, secrets, admin_token, admin_tokens, identity_url }: Settings) {
  if (production && secrets.length === 0 && identity_url === undefined)
    yield 'SECRETS is missing. Make one with `openssl rand -base64 48` and set SECRETS to it; keep it.'
  if (production && secrets.some((secret) => secret.includes('TEST_ONLY')))
    yield 'SECRETS holds a secret from the tests. Make one with `openssl rand -base64 48`.'
  if (secrets.some(isGuessable))
    yield 'SECRETS holds a secret that is too short or easy to guess. Make one of at least 32 random characters with `openssl rand -base64 48`.'
  for (const [name, tokens] of [
    ['ADMIN_TOKEN', [admin_token ?? []].flat()],
    ['ADMIN_TOKENS', admin_tokens.map(({ token }) => token)],
  ] as const)
    if (tokens.some(isGuessable))
      yield `${name} holds a token that is easy to guess. Make one with \`openssl rand -base64 48\`.`
}

/** A repeated letter or a manual's sample is long but not random. */
function isGuessable(secret: string): boolean {
  return secret.length < 32 || new Set(secret).size < 10
}

function* findAdminPortConflicts({
  admin_host,
  admin_token,
  admin_tokens,
  admin_ui,
  identity_url,
}: Settings) {
  if (admin_ui && identity_url !== undefined)
    yield 'ADMIN_UI is on although IDENTITY_URL is set: the accounts are there. Remove one of them.'
  if (
    identity_url === undefined &&
    admin_token === undefined &&
    admin_tokens.length === 0 &&
    !isLoopback(admin_host)
  )
    yield 'ADMIN_HOST opens the admin API to other machines. Set ADMIN_TOKEN to a secret (`openssl rand -base64 48`), or remove ADMIN_HOST.'
}

/** The inbox opens every account. */
function* findDemoConflicts({ demo, public_url, listen_hosts }: Settings) {
  const ownHosts = [new URL(public_url).hostname, ...listen_hosts]
  if (!demo || ownHosts.every((host) => host !== undefined && isLoopback(host))) return
  yield 'A demo shows every email to its visitors, so it runs for this machine only. Remove PUBLIC_URL and LISTEN_HOST to keep the demo, or set SMTP_URL to your mail server to run for others.'
}

function* findPublicUrlConflicts({ production, public_url }: Settings, given: ExplicitSettings) {
  if (!production) return
  if (!given.public_url) {
    yield 'PUBLIC_URL is missing. Set it to the https address of the app, such as https://app.example.'
    return
  }
  const { protocol, hostname } = new URL(public_url)
  if (protocol !== 'https:' && !isLoopback(hostname))
    yield 'PUBLIC_URL must begin with https:// in production, or passwords are sent in the clear.'
}

function* findMailConflicts({ demo, identity_url, smtp_url, sends_mail, sign_in_codes }: Settings) {
  if (sign_in_codes && !sends_mail)
    yield 'SIGN_IN_CODES is on although no email is sent. Set SMTP_URL to your mail server, or remove SIGN_IN_CODES.'
  if (sign_in_codes && identity_url !== undefined)
    yield 'SIGN_IN_CODES is a setting of the embedded identity service. Remove it, and set selfservice.methods.code.passwordless_enabled of the service at IDENTITY_URL.'
  if (!demo && sends_mail && smtp_url === undefined && identity_url === undefined)
    yield 'SMTP_URL is missing: no email could be sent. Set it to your mail server, such as smtp://user:password@mail.example:587, or set SMTP_URL=off to run without email.'
}

/** Browsers silently reject a foreign domain's cookie. */
function* findCookieDomainConflicts({ cookie_domain, public_url }: Settings) {
  const { hostname } = new URL(public_url)
  if (cookie_domain === undefined || isLoopback(hostname)) return
  if (`.${hostname}`.endsWith(`.${cookie_domain.replace(/^\./, '')}`)) return
  yield `COOKIE_DOMAIN is ${cookie_domain}, which ${hostname} of PUBLIC_URL does not belong to. Set it to a parent domain, or remove it.`
}

function* findDatabaseConflicts({ workers, in_memory }: Settings) {
  if (workers > 1 && in_memory)
    yield `WORKERS=${workers} needs a database that processes can share. Remove DATABASE_URL=memory:, or set WORKERS=1.`
}
