import type { RecordedCall } from '../../server/wire.ts'

/** A command for a shell in which the placeholders are set: `COOKIES=… PASSWORD=…`. */
export function asCurl(call: RecordedCall, origin: string): string {
  const { method, path, accept, request, cookies_sent } = call
  const parts = [`curl -i ${quote(origin + path)}`]
  if (method !== 'GET') parts.push(`-X ${method}`)
  if (/json/.test(accept)) parts.push(`-H 'Accept: application/json'`)
  if (cookies_sent.length > 0) parts.push(`-H "Cookie: $COOKIES"`)
  if (request)
    parts.push(
      `-H 'Content-Type: application/json'`,
      `-d ${quote(JSON.stringify(parse(request)) ?? request)}`,
    )
  return parts.join(' \\\n  ')
}

/** Single quotes, except for the placeholders. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`).replaceAll(/\$[A-Z_]+/g, (name) => `'"${name}"'`)}'`
}

const kinds: Readonly<Record<string, string>> = {
  login: 'Login',
  registration: 'Registration',
  settings: 'Settings',
  recovery: 'Recovery',
  verification: 'Verification',
}

/** The call with the official client, or undefined if it has no method for it. */
export function asClientFetch(call: RecordedCall, origin: string): string | undefined {
  const method = clientMethod(call)
  if (method === undefined) return undefined
  return [
    `import { env } from 'node:process'`,
    `import { Configuration, FrontendApi } from '@ory/client-fetch'`,
    '',
    `const ory = new FrontendApi(new Configuration({ basePath: '${origin}/.ory', credentials: 'include' }))`,
    `await ory.${method}`,
  ].join('\n')
}

function clientMethod({ method, path, request = '' }: RecordedCall): string | undefined {
  const { pathname, searchParams } = new URL(path, 'http://localhost')
  const [, kind = '', rest = ''] = /\/self-service\/(\w+)\/?(\w*)$/.exec(pathname) ?? []
  const name = kinds[kind]
  const variables = (names: Readonly<Record<string, string>>) =>
    literal(Object.fromEntries([...searchParams].map(([key, value]) => [names[key] ?? key, value])))
  if (pathname.endsWith('/sessions/whoami')) return `toSession(${variables({ tokenize_as: 'tokenizeAs' })})`
  if (kind === 'logout') return rest ? 'createBrowserLogoutFlow()' : `updateLogoutFlow(${variables({})})`
  if (!name) return undefined
  if (method === 'GET')
    return rest === 'browser'
      ? `createBrowser${name}Flow(${variables({ return_to: 'returnTo' })})`
      : `get${name}Flow(${variables({})})`
  const body = literal(parse(request) ?? {}) || '{}'
  return `update${name}Flow({ flow: '${searchParams.get('flow')}', update${name}FlowBody: ${body} })`
}

function literal(value: object): string {
  if (Object.keys(value).length === 0) return ''
  return JSON.stringify(value, undefined, 2).replaceAll(/"\$([A-Z_]+)"/g, 'env.$1')
}

/** A long body was cut. */
function parse(json: string): object | undefined {
  try {
    return JSON.parse(json) as object
  } catch {
    return undefined
  }
}
