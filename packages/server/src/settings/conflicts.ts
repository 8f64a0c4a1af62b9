import { isLoopback } from '@ostiary/identity/serving'
import type { Settings } from './env.ts'

export type Rule = (settings: Settings) => string | false

export function applyRules(rules: readonly Rule[], settings: Settings): string[] {
  return rules.flatMap((rule) => rule(settings) || [])
}

/** Each sentence names its settings and the remedy. */
export const CONFLICTS: readonly Rule[] = [
  ({ port, admin_port }) =>
    port === admin_port && `PORT and ADMIN_PORT are both ${port}. Give one of them another number.`,
  ({ identity_url, identity_jwks_url }) =>
    identity_jwks_url !== undefined &&
    identity_url === undefined &&
    'IDENTITY_JWKS_URL goes with IDENTITY_URL. Set both, or remove it.',
  // Every request would loop.
  ({ identity_url, public_url }) =>
    `${identity_url}/`.startsWith(`${public_url}/.ory/`) &&
    'IDENTITY_URL is this app itself. Set it to the address of the other service.',
  ({ production, secrets }) =>
    production &&
    secrets.some((secret) => secret.includes('TEST_ONLY')) &&
    'SECRETS holds a secret from the tests. Make one with `openssl rand -base64 48`.',
  ({ secrets }) =>
    secrets.some(isGuessable) &&
    'SECRETS holds a secret that is too short or easy to guess. Make one of at least 32 random characters with `openssl rand -base64 48`.',
  ({ admin_token }) => admin_token !== undefined && isGuessable(admin_token) && guessable('ADMIN_TOKEN'),
  ({ admin_tokens }) => admin_tokens.some(({ token }) => isGuessable(token)) && guessable('ADMIN_TOKENS'),
  ({ admin_ui, identity_url }) =>
    admin_ui &&
    identity_url !== undefined &&
    'ADMIN_UI is on although IDENTITY_URL is set: the accounts are there. Remove one of them.',
  ({ identity_url, admin_token, admin_tokens, admin_host }) =>
    identity_url === undefined &&
    admin_token === undefined &&
    admin_tokens.length === 0 &&
    !isLoopback(admin_host) &&
    'ADMIN_HOST opens the admin API to other machines. Set ADMIN_TOKEN to a secret (`openssl rand -base64 48`), or remove ADMIN_HOST.',
  // The inbox opens every account.
  ({ demo, public_url, listen_hosts }) =>
    demo &&
    ![new URL(public_url).hostname, ...listen_hosts].every(
      (host) => host !== undefined && isLoopback(host),
    ) &&
    'A demo shows every email to its visitors, so it runs for this machine only. Remove PUBLIC_URL and LISTEN_HOST to keep the demo, or set SMTP_URL to your mail server to run for others.',
  ({ production, public_url }) =>
    production &&
    public_url.startsWith('http:') &&
    !isLoopback(new URL(public_url).hostname) &&
    'PUBLIC_URL must begin with https:// in production, or passwords are sent in the clear.',
  ({ sign_in_codes, sends_mail }) =>
    sign_in_codes &&
    !sends_mail &&
    'SIGN_IN_CODES is on although no email is sent. Set SMTP_URL to your mail server, or remove SIGN_IN_CODES.',
  ({ sign_in_codes, identity_url }) =>
    sign_in_codes &&
    identity_url !== undefined &&
    'SIGN_IN_CODES is a setting of the embedded identity service. Remove it, and set selfservice.methods.code.passwordless_enabled of the service at IDENTITY_URL.',
  ({ cookie_domain, public_url }) => {
    const { hostname } = new URL(public_url)
    if (cookie_domain === undefined || isLoopback(hostname)) return false
    // Browsers silently reject a foreign domain's cookie.
    const isParent = `.${hostname}`.endsWith(`.${cookie_domain.replace(/^\./, '')}`)
    return (
      !isParent &&
      `COOKIE_DOMAIN is ${cookie_domain}, which ${hostname} of PUBLIC_URL does not belong to. Set it to a parent domain, or remove it.`
    )
  },
  ({ workers, in_memory }) =>
    workers > 1 &&
    in_memory &&
    `WORKERS=${workers} needs a database that processes can share. Remove DATABASE_URL=memory:, or set WORKERS=1.`,
]

/** A repeated letter or a manual's sample is long but not random. */
function isGuessable(secret: string): boolean {
  return secret.length < 32 || new Set(secret).size < 10
}

function guessable(name: string): string {
  return `${name} holds a token that is easy to guess. Make one with \`openssl rand -base64 48\`.`
}

/** A setting without which a start makes no sense, and how to set it. */
export type MissingSetting = readonly [name: string, sentence: string]

export function* findMissing(
  { production, secrets, identity_url, demo, sends_mail, smtp_url }: Settings,
  givenVariables: Readonly<Record<string, unknown>>,
): Generator<MissingSetting> {
  if (production && secrets.length === 0 && identity_url === undefined)
    yield [
      'SECRETS',
      'SECRETS is missing. Make one with `openssl rand -base64 48` and set SECRETS to it; keep it.',
    ]
  if (production && givenVariables.PUBLIC_URL === undefined)
    yield [
      'PUBLIC_URL',
      'PUBLIC_URL is missing. Set it to the https address of the app, such as https://app.example.',
    ]
  if (!demo && sends_mail && smtp_url === undefined && identity_url === undefined)
    yield [
      'SMTP_URL',
      'SMTP_URL is missing: no email could be sent. Set it to your mail server, such as smtp://user:password@mail.example:587, or set SMTP_URL=off to run without email.',
    ]
}
