import { StartError } from '../http/errors.ts'
import type { Settings } from './env.ts'
import { isLoopback } from './env-values.ts'

/** Throws a `StartError` if settings conflict. `given` names settings that have no default value. */
export function assertConsistent(settings: Settings, given: { readonly public_url: boolean }): void {
  if (settings.port === settings.admin_port)
    throw new StartError(`PORT and ADMIN_PORT are both ${settings.port}. Give one of them another number.`)
  assertIdentityElsewhere(settings)
  assertSecrets(settings)
  assertAdminPort(settings)
  if (settings.demo) assertDemoStaysHere(settings)
  if (settings.production) assertPublicUrl(settings, given)
  assertMail(settings)
  assertCookieDomain(settings)
  assertWorkersShareADatabase(settings)
}

function assertWorkersShareADatabase({ workers, identity_url, database_file, database_url }: Settings): void {
  const inMemory = identity_url === undefined && database_file === undefined && database_url === undefined
  if (workers > 1 && inMemory)
    throw new StartError(
      `WORKERS=${workers} needs a database that processes can share. Remove DATABASE_URL=memory:, or set WORKERS=1.`,
    )
}

function assertPublicUrl(settings: Settings, given: { readonly public_url: boolean }): void {
  if (!given.public_url)
    throw new StartError(
      'PUBLIC_URL is missing. Set it to the https address of the app, such as https://app.example.',
    )
  const { protocol, hostname } = new URL(settings.public_url)
  if (protocol !== 'https:' && !isLoopback(hostname))
    throw new StartError(
      'PUBLIC_URL must begin with https:// in production, or passwords are sent in the clear.',
    )
}

function assertIdentityElsewhere({ identity_url, identity_jwks_url, public_url }: Settings): void {
  if (identity_jwks_url !== undefined && identity_url === undefined)
    throw new StartError('IDENTITY_JWKS_URL goes with IDENTITY_URL. Set both, or remove it.')
  // Every request would loop.
  if (`${identity_url}/`.startsWith(`${public_url}/.ory/`))
    throw new StartError('IDENTITY_URL is this app itself. Set it to the address of the other service.')
}

function assertSecrets({ production, secrets, identity_url }: Settings): void {
  if (production && secrets.length === 0 && identity_url === undefined)
    throw new StartError(
      'SECRETS is missing. Make one with `openssl rand -base64 48` and set SECRETS to it; keep it.',
    )
  if (production && secrets.some((secret) => secret.includes('TEST_ONLY')))
    throw new StartError('SECRETS holds a secret from the tests. Make one with `openssl rand -base64 48`.')
  // A repeated letter or a sample from a manual is long but not random.
  if (secrets.some((secret) => secret.length < 32 || new Set(secret).size < 10))
    throw new StartError(
      'SECRETS holds a secret that is too short or easy to guess. Make one of at least 32 random characters with `openssl rand -base64 48`.',
    )
}

function assertMail(settings: Settings): void {
  const { production, identity_url, smtp_url, sends_mail, sign_in_codes } = settings
  if (sign_in_codes && !sends_mail)
    throw new StartError('SIGN_IN_CODES is on although SMTP_URL is off. Remove one of them.')
  if (sign_in_codes && identity_url !== undefined)
    throw new StartError(
      'SIGN_IN_CODES is a setting of the embedded identity service. Remove it, and set selfservice.methods.code.passwordless_enabled of the service at IDENTITY_URL.',
    )
  if (production && sends_mail && smtp_url === undefined && identity_url === undefined)
    throw new StartError(
      'SMTP_URL is missing: no email could be sent. Set it to your mail server, such as smtp://user:password@mail.example:587, or set SMTP_URL=off to run without email.',
    )
}

/** Browsers silently reject a cookie for a foreign domain. */
function assertCookieDomain({ cookie_domain, public_url }: Settings): void {
  const { hostname } = new URL(public_url)
  if (cookie_domain === undefined || isLoopback(hostname)) return
  if (`.${hostname}`.endsWith(`.${cookie_domain.replace(/^\./, '').toLowerCase()}`)) return
  throw new StartError(
    `COOKIE_DOMAIN is ${cookie_domain}, which ${hostname} of PUBLIC_URL does not belong to. Set it to a parent domain, or remove it.`,
  )
}

function assertAdminPort({ admin_host, admin_token, admin_ui, identity_url }: Settings): void {
  if (admin_ui && identity_url !== undefined)
    throw new StartError(
      'ADMIN_UI is on although IDENTITY_URL is set: the accounts are there. Remove one of them.',
    )
  if (identity_url === undefined && admin_token === undefined && !isLoopback(admin_host))
    throw new StartError(
      'ADMIN_HOST opens the admin API to other machines. Set ADMIN_TOKEN to a secret (`openssl rand -base64 48`), or remove ADMIN_HOST.',
    )
}

/** Access to the inbox is access to every account. */
function assertDemoStaysHere({ public_url, listen_hosts }: Settings): void {
  const own = [new URL(public_url).hostname, ...listen_hosts]
  if (own.every((host) => host !== undefined && isLoopback(host))) return
  throw new StartError(
    'A demo shows every email to its visitors, so it runs for this machine only. Remove PUBLIC_URL and LISTEN_HOST to keep the demo, or set SMTP_URL to your mail server to run for others.',
  )
}
