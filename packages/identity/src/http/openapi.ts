import { adminUrl } from '../config/base-url.ts'
import { VERSION } from '../config/version.ts'
import type { Context } from '../contract/contract.ts'
import type { FlowKind } from '../wire/flow.ts'
import { ADMIN_ROUTES, PAGES } from './admin/routes.ts'

/** A summary and the parameters of the query, after a question mark. */
type Rows = Readonly<Record<string, string>>

const RETURN = 'return_to after_verification_return_to'

function flowRows(kind: FlowKind, query: string): Rows {
  const base = `/self-service/${kind}`
  return {
    [`GET ${base}/browser`]: `Opens a ${kind} flow in a browser ?${query}`,
    [`GET ${base}/api`]: `Opens a ${kind} flow in an app ?${query}`,
    [`GET ${base}/flows`]: `Shows a ${kind} flow ?id`,
    [`GET ${base}`]: `Follows a link to a ${kind} flow ?flow token code`,
    [`POST ${base}`]: `Submits the form of a ${kind} flow ?flow token code`,
  }
}

const CALLBACK = '/self-service/methods/oidc/callback'

const publicRows: Rows = {
  ...flowRows('login', `${RETURN} identity_schema aal refresh via return_session_token_exchange_code`),
  ...flowRows('registration', `${RETURN} identity_schema return_session_token_exchange_code`),
  ...flowRows('recovery', RETURN),
  ...flowRows('verification', RETURN),
  ...flowRows('settings', RETURN),
  [`GET ${CALLBACK}`]: 'Returns from a provider ?state code error',
  [`GET ${CALLBACK}/:provider`]: 'Returns from a provider ?state code error',
  [`POST ${CALLBACK}/:provider`]: 'Returns from a provider that posts a form',
  'GET /self-service/fed-cm/parameters': 'Lists the providers for FedCM',
  'POST /self-service/fed-cm/token': 'Logs in with a token from FedCM',
  'GET /self-service/errors': 'Shows an error of a browser flow ?id',
  'GET /self-service/logout/browser': 'Creates a logout token ?return_to',
  'GET /self-service/logout': 'Ends the session of a browser ?token return_to',
  'DELETE /self-service/logout/api': 'Ends the session of an app',
  'GET /sessions/whoami': 'Shows the session of the caller ?tokenize_as',
  'GET /sessions/token-exchange': 'Exchanges two codes for a session token ?init_code return_to_code',
  'GET /sessions': `Lists the other sessions of the user ?${PAGES}`,
  'DELETE /sessions': 'Ends the other sessions of the user',
  'DELETE /sessions/:id': 'Ends another session of the user',
  'GET /schemas': `Lists the identity schemas ?${PAGES}`,
  'GET /schemas/:id': 'Shows an identity schema',
  'GET /.well-known/ory/webauthn.js': 'The script of passkeys and security keys',
  'GET /.well-known/change-password': 'Redirects to the page of the settings',
  'GET /.well-known/jwks.json': 'The public keys of tokenized sessions',
  'GET /health/alive': 'Whether the process answers',
  'GET /health/ready': 'Whether the database accepts writes',
  'GET /openapi.json': 'This document',
}

/** OpenAPI 3.1, without the schemas of bodies. */
export function openApi(ctx: Context): object {
  const { base_url } = ctx.config.serve.public
  const admin = { servers: [{ url: adminUrl(ctx, '').replace(/\/admin$/, '') }] }
  const adminRows = ADMIN_ROUTES.map(([method, path, , about]) => [`${method} ${path}`, about] as const)
  return {
    openapi: '3.1.0',
    info: { title: 'Identity service', version: VERSION },
    servers: [{ url: base_url }],
    paths: { ...pathsOf(Object.entries(publicRows)), ...pathsOf(adminRows, '/admin', admin) },
    components: { schemas: { Error: ERROR } },
  }
}

function pathsOf(
  rows: readonly (readonly [string, string])[],
  prefix = '',
  common: object = {},
): Record<string, object> {
  const paths: Record<string, object> = {}
  for (const [route, row] of rows) {
    const [method = '', path = ''] = route.split(' ')
    const [summary = '', query = ''] = row.split(' ?')
    const template = prefix + path.replaceAll(/:(\w+)/g, '{$1}')
    const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => parameter(name ?? '', 'path'))
    const inQuery = query.split(' ').flatMap((name) => (name ? [parameter(name, 'query')] : []))
    const operation = { summary, parameters: [...inPath, ...inQuery], responses: RESPONSES }
    paths[template] = { ...common, ...paths[template], [method.toLowerCase()]: operation }
  }
  return paths
}

function parameter(name: string, place: 'path' | 'query'): object {
  return { name, in: place, required: place === 'path', schema: { type: 'string' } }
}

const RESPONSES = {
  '2XX': { description: 'Success' },
  '3XX': { description: 'For browsers: the page of the form, or the next one' },
  default: {
    description: 'Error, or the form with its messages',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  },
}

const ERROR = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        code: { type: 'integer' },
        status: { type: 'string' },
        reason: { type: 'string' },
        message: { type: 'string' },
      },
      required: ['code', 'message'],
    },
  },
}
