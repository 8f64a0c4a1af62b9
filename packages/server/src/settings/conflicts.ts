import { TRAIT_FORMATS } from '@ostiary/identity/serving'
import { isColor } from '@ostiary/identity/theme'
import { findBodyLimitProblems } from '../product/body-limits.ts'
import { findJobProblems } from '../product/jobs.ts'
import { findPluginProblems } from '../product/plugins.ts'
import { findPolicyProblems } from '../product/policy.ts'
import { PARTS, type Product, type ProductConfig } from '../product/product.ts'
import type { Settings } from './env.ts'
import { isLoopback } from './env-values.ts'

interface ExplicitSettings {
  readonly public_url: boolean
}

export function findConflicts(settings: Settings, explicit: ExplicitSettings): string[] {
  return [
    ...portConflicts(settings),
    ...identityElsewhere(settings),
    ...weakSecrets(settings),
    ...openAdminPort(settings),
    ...sharedDemo(settings),
    ...publicUrl(settings, explicit),
    ...mail(settings),
    ...cookieDomain(settings),
    ...privateDatabase(settings),
  ]
}

function* portConflicts({ port, admin_port }: Settings) {
  if (port === admin_port) yield `PORT and ADMIN_PORT are both ${port}. Give one of them another number.`
}

function* identityElsewhere({ identity_url, identity_jwks_url, public_url }: Settings) {
  if (identity_jwks_url !== undefined && identity_url === undefined)
    yield 'IDENTITY_JWKS_URL goes with IDENTITY_URL. Set both, or remove it.'
  // Every request would loop.
  if (`${identity_url}/`.startsWith(`${public_url}/.ory/`))
    yield 'IDENTITY_URL is this app itself. Set it to the address of the other service.'
}

function* weakSecrets({ production, secrets, admin_token, admin_tokens, identity_url }: Settings) {
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

function* openAdminPort({ admin_host, admin_token, admin_tokens, admin_ui, identity_url }: Settings) {
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
function* sharedDemo({ demo, public_url, listen_hosts }: Settings) {
  const ownHosts = [new URL(public_url).hostname, ...listen_hosts]
  if (!demo || ownHosts.every((host) => host !== undefined && isLoopback(host))) return
  yield 'A demo shows every email to its visitors, so it runs for this machine only. Remove PUBLIC_URL and LISTEN_HOST to keep the demo, or set SMTP_URL to your mail server to run for others.'
}

function* publicUrl({ production, public_url }: Settings, given: ExplicitSettings) {
  if (!production) return
  if (!given.public_url) {
    yield 'PUBLIC_URL is missing. Set it to the https address of the app, such as https://app.example.'
    return
  }
  const { protocol, hostname } = new URL(public_url)
  if (protocol !== 'https:' && !isLoopback(hostname))
    yield 'PUBLIC_URL must begin with https:// in production, or passwords are sent in the clear.'
}

function* mail({ demo, identity_url, smtp_url, sends_mail, sign_in_codes }: Settings) {
  if (sign_in_codes && !sends_mail)
    yield 'SIGN_IN_CODES is on although no email is sent. Set SMTP_URL to your mail server, or remove SIGN_IN_CODES.'
  if (sign_in_codes && identity_url !== undefined)
    yield 'SIGN_IN_CODES is a setting of the embedded identity service. Remove it, and set selfservice.methods.code.passwordless_enabled of the service at IDENTITY_URL.'
  if (!demo && sends_mail && smtp_url === undefined && identity_url === undefined)
    yield 'SMTP_URL is missing: no email could be sent. Set it to your mail server, such as smtp://user:password@mail.example:587, or set SMTP_URL=off to run without email.'
}

/** Browsers silently reject a foreign domain's cookie. */
function* cookieDomain({ cookie_domain, public_url }: Settings) {
  const { hostname } = new URL(public_url)
  if (cookie_domain === undefined || isLoopback(hostname)) return
  if (`.${hostname}`.endsWith(`.${cookie_domain.replace(/^\./, '')}`)) return
  yield `COOKIE_DOMAIN is ${cookie_domain}, which ${hostname} of PUBLIC_URL does not belong to. Set it to a parent domain, or remove it.`
}

function* privateDatabase({ workers, in_memory }: Settings) {
  if (workers > 1 && in_memory)
    yield `WORKERS=${workers} needs a database that processes can share. Remove DATABASE_URL=memory:, or set WORKERS=1.`
}

/** A start does not check the types of app.config.ts. */
export function* findProductProblems(
  product: Product,
  { identity_url, production }: Pick<Settings, 'identity_url' | 'production'>,
  takenNames: readonly string[],
) {
  const { config, settings = {}, policy, bodyLimits, jobs, migrations } = product
  for (const part of Object.keys(product).filter((name) => !PARTS.includes(name)))
    yield `The product in app/server.ts has the unknown part ${part}. Use ${PARTS.join(', ')}.`
  yield* findPluginProblems(product)
  yield* findPolicyProblems(policy, { production })
  yield* findBodyLimitProblems(bodyLimits)
  yield* findJobProblems(jobs, { hasDatabase: identity_url === undefined || migrations !== undefined })
  yield* findConfigProblems(config)
  for (const name of Object.keys(settings).filter((name) => takenNames.includes(name)))
    yield `The app has a setting ${name} already. Give the one in app/server.ts another name.`
  for (const name of Object.keys(settings).filter((name) => !/^[A-Z][A-Z\d_]*(?<!_FILE)$/.test(name)))
    yield `The setting ${name} in app/server.ts is not a name such as MAPS_KEY. Use capitals, digits and underscores.`
}

function* findColorProblems({ accent, darkAccent }: Partial<ProductConfig['theme']> = {}) {
  const colors = { accent, ...(darkAccent !== undefined && { darkAccent }) }
  for (const [name, color] of Object.entries(colors).filter(([, color]) => !isColor(color)))
    yield `theme.${name} in app.config.ts is ${JSON.stringify(color)}. Set it to a CSS color, such as '#0e5a6b'.`
}

function* findConfigProblems(config: ProductConfig) {
  const { traits, requiredTraits } = config
  const { theme, password }: Partial<ProductConfig> = config
  yield* findColorProblems(theme)
  const length = password?.minLength ?? 0
  if (!(Number.isInteger(length) && length >= 6))
    yield `password.minLength in app.config.ts is ${JSON.stringify(password?.minLength)}. Set it to a whole number of characters, 6 or more.`
  for (const name of requiredTraits.filter((name) => !Object.hasOwn(traits, name)))
    yield `requiredTraits in app.config.ts names "${name}", which is not in traits. Add it there, or remove it.`
  for (const [name, { format }] of Object.entries(traits))
    if (typeof format === 'string' && !TRAIT_FORMATS.includes(format))
      yield `traits.${name} in app.config.ts has the unknown format "${format}". Use one of ${TRAIT_FORMATS.join(', ')}.`
}
