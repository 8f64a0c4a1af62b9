import { afterMethod } from '../../config/after-method.ts'
import { publicUrl } from '../../config/base-url.ts'
import type { Context } from '../../contract/contract.ts'
import { badRequest, ProtocolError } from '../../errors/errors.ts'
import type { Flow } from '../../storage/flows/flows.ts'

type Configured = Pick<Context, 'config'>

/**
 * Accepts the origin of an entry of `selfservice.allowed_return_urls`, with a path below the entry's, and the
 * pages that open a form. Compares parsed segments, so prefixes, dot segments and other spellings do not match
 * (SEC-31). Throws 400 `self_service_flow_return_to_forbidden`.
 */
export function checkReturnTo(ctx: Configured, value: string | null | undefined): string | undefined {
  if (value === null || value === undefined || value === '') return undefined
  const base = baseOf(ctx)
  if (!URL.canParse(value, base) || INVALID.test(value)) {
    throw badRequest('return_to is not a valid URL.')
  }
  const target = isRelative(value) ? undefined : parseUrl(value, base)
  if (!target || !isAllowed(ctx, target, base)) {
    throw new ProtocolError({
      id: 'self_service_flow_return_to_forbidden',
      status: 400,
      reason: 'return_to is not an allowed URL of this site.',
    })
  }
  return value
}

/** Opening a form has no effect. Settings resume a submission that waits for this browser (SEC-85). */
const OWN_PAGES = [
  '/self-service/settings',
  '/self-service/login/browser',
  '/self-service/registration/browser',
  '/self-service/settings/browser',
  '/self-service/recovery/browser',
  '/self-service/verification/browser',
]

/** At another path of a flow, an appended code would be submitted to it (SEC-102). */
function isAllowed(ctx: Configured, target: URL, base: string): boolean {
  const home = new URL(publicUrl(ctx, '/self-service'))
  const isFlowPath = target.host === home.host && isBelow(readPath(home), readPath(target))
  const { allowed_return_urls } = ctx.config.selfservice
  if (!isFlowPath) return allowed_return_urls.some((entry) => covers(entry, target, base))
  const { origin, pathname, username, password } = target
  return username + password === '' && OWN_PAGES.some((page) => publicUrl(ctx, page) === origin + pathname)
}

/** As servers and proxies may read it. */
function readPath({ pathname }: URL): string {
  const decode = (escaped: string) => Buffer.from(escaped.replaceAll('%', ''), 'hex').toString()
  return pathname
    .replaceAll(/(?:%[0-9a-f]{2})+/gi, decode)
    .replaceAll(/\/{2,}/g, '/')
    .toLowerCase()
}

/** Prefers `return_to`, then the most specific configured URL. */
export function returnUrl(
  ctx: Configured,
  flow: Flow,
  kind: 'login' | 'registration' | 'settings',
  method: string,
  fallback?: string,
): string {
  const { after } = ctx.config.selfservice.flows[kind]
  const ofMethod = afterMethod(ctx, kind, method)?.default_browser_return_url
  return returnUrlOr(ctx, flow.return_to, ofMethod ?? after.default_browser_return_url ?? fallback)
}

export function returnUrlOr(
  ctx: Configured,
  requestedUrl: string | null | undefined,
  configured?: string,
): string {
  const checked = checkReturnTo(ctx, requestedUrl)
  if (checked !== undefined) return absolute(ctx, checked)
  return configured ?? ctx.config.selfservice.default_browser_return_url
}

/** The default may be a path. */
function baseOf({ config }: Configured): string {
  return new URL(config.selfservice.default_browser_return_url, config.serve.public.base_url).href
}

function absolute(ctx: Configured, value: string): string {
  const url = parseUrl(value, baseOf(ctx))
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(value) && url) return url.toString()
  // Clients may compare the spelling: Kratos escapes all but the query.
  return value
    .replace(/^[^:]*/, (scheme) => scheme.toLowerCase())
    .replaceAll(/^[^?]*|#.*$/g, (part) => part.replaceAll(/[^!-~]+/g, encodeURIComponent))
}

function covers(entry: string, target: URL, home: string): boolean {
  const wildcard = /^([a-z][a-z0-9+.-]*:\/\/)\*\.([^/]+)(\/.*)?$/i.exec(entry)
  const base = parseUrl(wildcard ? `${wildcard[1]}${wildcard[2]}${wildcard[3] ?? '/'}` : entry, home)
  if (!base || base.protocol !== target.protocol) return false
  if (target.username !== '' || target.password !== '') return false
  const sameHost = wildcard ? target.host.endsWith(`.${base.host}`) : target.host === base.host
  return sameHost && isBelow(base.pathname, target.pathname)
}

function isBelow(base: string, path: string): boolean {
  const folder = base.endsWith('/') ? base : `${base}/`
  return path === base || (path || '/').startsWith(folder)
}

/** A path such as `welcome` would resolve differently on every page. */
function isRelative(value: string): boolean {
  return !/^([/?#]|[a-z][a-z0-9+.-]*:)/i.test(value)
}

/** Control characters, a colon in the first segment of a path, and broken escapes outside of the query. */
const INVALID = /\p{Cc}|^(?![a-z][a-z0-9+.-]*:)[^/?#]*:|^(?:[^?]*|[^#]*#.*)%(?![0-9a-f]{2})/iu

/**
 * Undefined if a browser could parse it differently: it reads a backslash as a slash, and trims spaces. Queries are
 * unambiguous.
 */
function parseUrl(value: string, base?: string): URL | undefined {
  if (/^ |^[^?#]* $|^[^?#]*\\/.test(value) || /^[a-z][a-z0-9+.-]*:(?!\/\/)/i.test(value)) return undefined
  if (!URL.canParse(value, base)) return undefined
  const url = new URL(value, base)
  return url.protocol === 'javascript:' || url.protocol === 'data:' ? undefined : url
}
