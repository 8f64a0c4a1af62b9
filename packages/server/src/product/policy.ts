import { returnedBy } from '../http/errors.ts'
import type { OwnSettings } from './register.ts'

/** Other hosts that the pages may use, such as `https://cdn.example.com`. */
export interface Policy extends Partial<Record<SourcePart, readonly string[]>> {
  /** Every page loads those with a path, such as `https://js.maps.example/maps.js`. */
  readonly script?: readonly string[]
  /** By feature, such as `{ geolocation: ["'self'"] }`, with origins of frames. Most are off. */
  readonly permissions?: Readonly<Record<string, readonly string[]>>
  /**
   * Names of Trusted Types policies that scripts may create. `off` lets every script insert scripts and HTML, also an
   * attacker's text.
   */
  readonly trustedTypes?: readonly string[] | 'off'
}

/** The same for every server, or from the product's settings. */
export type PolicyOption<S = OwnSettings> = Policy | ((settings: S) => Policy)

export function policyOf(option: PolicyOption, settings: OwnSettings): Policy {
  if (typeof option !== 'function') return option
  return returnedBy(
    'policy',
    option(settings),
    "lists of hosts, such as { img: ['https://cdn.example.com'] }",
  )
}

type SourcePart = (typeof SOURCE_PARTS)[number]

/** Each is a directive `…-src` of the content security policy. */
export const SOURCE_PARTS = ['script', 'style', 'img', 'font', 'frame', 'connect'] as const
const PARTS = [...SOURCE_PARTS, 'permissions', 'trustedTypes']

export function* findPolicyProblems(policy: Policy, production: boolean) {
  for (const part of Object.keys(policy).filter((name) => !PARTS.includes(name)))
    yield `policy in app/server.ts has the unknown part ${part}. Use ${PARTS.join(', ')}.`
  for (const part of SOURCE_PARTS) yield* findSourceProblems(part, policy[part])
  for (const part of SOURCE_PARTS)
    for (const source of policy[part]?.filter((one) => production && one.startsWith('http:')) ?? [])
      yield `policy.${part} in app/server.ts has ${quote(source)}, which is for development. Use an https address in production.`
  yield* findPermissionProblems(policy.permissions)
  yield* findTrustedTypeProblems(policy.trustedTypes)
}

function* findSourceProblems(part: SourcePart, sources: readonly string[] = []) {
  const isAllowed = (source: string) => isOrigin(source, part) || (part === 'script' && isScript(source))
  const others = part === 'script' ? ', or the address of a script' : ''
  for (const source of sources.filter((one) => !isAllowed(one)))
    yield `policy.${part} in app/server.ts has ${quote(source)}. Use an origin such as https://cdn.example.com, https://*.example.com or, in development, http://localhost:8080${others}.`
}

/** A setting may have put a password in front of the host. */
function quote(source: string): string {
  return String(JSON.stringify(source)).replace(/\/\/.*@/s, '//…@')
}

function* findPermissionProblems(permissions: Policy['permissions'] = {}) {
  for (const [feature, origins] of Object.entries(permissions)) {
    if (!/^[a-z]+(-[a-z]+)*$/.test(feature))
      yield `policy.permissions in app/server.ts has the feature ${JSON.stringify(feature)}. Use a name such as geolocation.`
    for (const origin of origins.filter((one) => one !== SELF && !isOrigin(one, 'frame')))
      yield `policy.permissions.${feature} in app/server.ts has ${quote(origin)}. Use "'self'" for the pages, or the origin of a frame such as https://maps.example.`
  }
}

function* findTrustedTypeProblems(names: readonly string[] | string = []) {
  if (names === 'off') return
  const invalid = typeof names === 'string' ? [names] : names.filter((name) => !/^[\w\-#=/@.%]+$/.test(name))
  for (const name of invalid)
    yield `policy.trustedTypes in app/server.ts has ${JSON.stringify(name)}. Use a list of names such as maps#loader, or 'off'.`
}

export const SELF = "'self'"

/** An `*` covers the hosts below a domain, but not those of a whole country. */
const HTTPS = /^https:\/\/(?:\*\.(?=[^.:]+\.))?[a-z\d-]+(?:\.[a-z\d-]+)*(?::\d{1,5})?$/
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::\d{1,5})?$/
const WEB_SOCKET = /^wss:/

function isOrigin(origin: string, part: SourcePart): boolean {
  const withHttps = part === 'connect' ? origin.replace(WEB_SOCKET, 'https:') : origin
  const isWellFormed = HTTPS.test(withHttps) || LOOPBACK.test(origin)
  // A browser would ignore another spelling of the port.
  return isWellFormed && URL.canParse(withHttps) && new URL(withHttps).origin === withHttps
}

function isScript(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { href, origin, pathname, hash } = new URL(url)
  const isExact = href === url && url.startsWith(`${origin}/`)
  return isExact && pathname !== '/' && hash === '' && isOrigin(origin, 'script') && !url.includes('*')
}

/** Allows everything that one of the two allows. */
export function joinPolicies(first: PolicyOption, second: PolicyOption): PolicyOption {
  return (settings) => joinTwo(policyOf(first, settings), policyOf(second, settings))
}

function joinTwo(first: Policy, second: Policy): Policy {
  const [firstTypes, secondTypes] = [first.trustedTypes ?? [], second.trustedTypes ?? []]
  const lists = SOURCE_PARTS.map((part) => [part, union(first[part], second[part])] as const)
  const features = Object.keys({ ...first.permissions, ...second.permissions })
  const permissions = features.map(
    (name) => [name, union(first.permissions?.[name], second.permissions?.[name])] as const,
  )
  return {
    ...Object.fromEntries(lists),
    permissions: Object.fromEntries(permissions),
    trustedTypes: firstTypes === 'off' || secondTypes === 'off' ? 'off' : union(firstTypes, secondTypes),
  }
}

function union(first: readonly string[] = [], second: readonly string[] = []): readonly string[] {
  return [...new Set([...first, ...second])]
}

/** The scripts that every page loads. */
export function scriptsOf({ script = [] }: Policy): readonly string[] {
  return script.filter((source) => !isOrigin(source, 'script'))
}

/** As in the content security policy, where a query is not allowed and these characters end a source. */
export function sourcesOf(policy: Policy, part: SourcePart): readonly string[] {
  const sources = policy[part] ?? []
  if (part !== 'script') return sources
  return sources.map((source) =>
    isOrigin(source, part) ? source : source.replace(/\?.*/, '').replaceAll(/[;,]/g, encodeURIComponent),
  )
}
