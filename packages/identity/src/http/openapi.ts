import { adminUrl } from '../config/base-url.ts'
import { VERSION } from '../config/version.ts'
import type { Context } from '../contract/contract.ts'
import type { FlowKind } from '../wire/flow.ts'

/** Further statuses, such as 429 and 503, have the same shape as the listed errors. */
type Row = readonly [summary: string, statuses: readonly number[], query?: string]
type Table = Readonly<Record<string, Row>>

const RETURN = 'return_to after_verification_return_to'
const PAGE = 'page_size page_token'
const PAGES = `${PAGE} page per_page`

function flowRows(kind: FlowKind, query: string, more: readonly number[] = []): Table {
  const base = `/self-service/${kind}`
  return {
    [`GET ${base}/browser`]: [`Opens a ${kind} flow in a browser`, [200, 303, 400, ...more], query],
    [`GET ${base}/api`]: [`Opens a ${kind} flow in an app`, [200, 400, ...more], query],
    [`GET ${base}/flows`]: [`Shows a ${kind} flow`, [200, 400, 403, 404, 410, ...more], 'id'],
    [`GET ${base}`]: [
      `Follows a link to a ${kind} flow`,
      [200, 303, 400, 404, 410, ...more],
      'flow token code',
    ],
    [`POST ${base}`]: [
      `Submits the form of a ${kind} flow`,
      [200, 303, 400, 403, 404, 410, 422, ...more],
      'flow token code',
    ],
  }
}

const CALLBACK = '/self-service/methods/oidc/callback'

const publicRows: Table = {
  ...flowRows('login', `${RETURN} identity_schema aal refresh via return_session_token_exchange_code`),
  ...flowRows('registration', `${RETURN} identity_schema return_session_token_exchange_code`),
  ...flowRows('recovery', RETURN),
  ...flowRows('verification', RETURN),
  ...flowRows('settings', RETURN, [401]),
  [`GET ${CALLBACK}`]: ['Returns from a provider', [200, 303, 400, 404, 422], 'state code error'],
  [`GET ${CALLBACK}/:provider`]: ['Returns from a provider', [200, 303, 400, 404, 422], 'state code error'],
  [`POST ${CALLBACK}/:provider`]: ['Returns from a provider that posts a form', [302]],
  'GET /self-service/fed-cm/parameters': ['Lists the providers for FedCM', [200]],
  'POST /self-service/fed-cm/token': ['Signs in with a token from FedCM', [200, 303, 400, 403]],
  'GET /self-service/errors': ['Shows an error of a browser flow', [200, 404], 'id'],
  'GET /self-service/logout/browser': ['Creates a logout token', [200, 400, 401], 'return_to'],
  'GET /self-service/logout': ['Ends the session of a browser', [204, 303, 400, 401, 403], 'token return_to'],
  'DELETE /self-service/logout/api': ['Ends the session of an app', [204, 400, 403]],
  'GET /sessions/whoami': ['Shows the session of the caller', [200, 400, 401, 403], 'tokenize_as'],
  'GET /sessions/token-exchange': [
    'Exchanges two codes for a session token',
    [200, 400, 403, 404],
    'init_code return_to_code',
  ],
  'GET /sessions': ['Lists the other sessions of the user', [200, 401, 403], PAGES],
  'DELETE /sessions': ['Ends the other sessions of the user', [200, 401, 403]],
  'DELETE /sessions/:id': ['Ends another session of the user', [204, 400, 401, 403]],
  'GET /schemas': ['Lists the identity schemas', [200], PAGES],
  'GET /schemas/:id': ['Shows an identity schema', [200, 404]],
  'GET /.well-known/ory/webauthn.js': ['The script of passkeys and security keys', [200]],
  'GET /.well-known/change-password': ['Redirects to the page of the settings', [303]],
  'GET /.well-known/jwks.json': ['The public keys of tokenized sessions', [200]],
  'GET /health/alive': ['Whether the process answers', [200]],
  'GET /health/ready': ['Whether the database accepts writes', [200, 503]],
  'GET /openapi.json': ['This document', [200]],
}

const FILTERS =
  'ids credentials_identifier preview_credentials_identifier_similar organization_id state include_credential'

const adminRows: Table = {
  'GET /health/alive': ['Whether the process answers', [200]],
  'GET /health/ready': ['Whether the database accepts writes', [200, 503]],
  'GET /health/config': ['The revision of the configuration', [200]],
  'GET /metrics': ['Metrics for Prometheus', [200]],
  'GET /metrics/prometheus': ['Metrics for Prometheus', [200]],
  'GET /version': ['The version', [200]],
  'GET /audit': ['Lists the calls of this API that changed or were refused something', [200, 400], PAGE],
  'GET /statistics': ['Counts accounts by state, and the sign-ins of the last 14 days', [200]],
  'GET /courier/messages': ['Lists messages', [200, 400], `status recipient ${PAGE}`],
  'GET /courier/messages/:id': ['Shows a message', [200, 400, 404]],
  'POST /courier/messages/:id/retry': ['Sends an abandoned message again', [200, 400, 404, 409]],
  'GET /identities': ['Lists or finds identities', [200, 400], `${FILTERS} ${PAGES}`],
  'POST /identities': ['Creates an identity', [201, 400, 409]],
  'PATCH /identities': ['Creates several identities', [200, 400]],
  'GET /identities/by/external/:external_id': ['Finds an identity', [200, 400, 404], 'include_credential'],
  'GET /identities/:id': ['Shows an identity', [200, 400, 404], 'include_credential'],
  'PUT /identities/:id': ['Replaces an identity', [200, 400, 404, 409, 412]],
  'PATCH /identities/:id': ['Changes an identity by a JSON Patch', [200, 400, 404, 409, 412]],
  'DELETE /identities/:id': ['Deletes an identity', [204, 404, 412]],
  'DELETE /identities/:id/credentials/:type': ['Removes a credential', [204, 400, 404], 'identifier'],
  'GET /identities/:id/events': ['Lists the security events of an identity', [200, 400, 404], PAGE],
  'GET /identities/:id/sessions': ['Lists the sessions of an identity', [200, 400], `active ${PAGES}`],
  'DELETE /identities/:id/sessions': ['Ends the sessions of an identity', [204, 400, 404]],
  'POST /identities/:id/verification': ['Sends a verification code', [202, 404, 409]],
  'GET /sessions': ['Lists all sessions', [200, 400], `active expand ${PAGE}`],
  'POST /sessions': ['Ends the sessions of identities, or named ones', [200, 400]],
  'DELETE /sessions': ['Redirects to the public port', [307]],
  'GET /sessions/:id': ['Shows a session', [200, 400, 404], 'expand'],
  'DELETE /sessions/:id': ['Ends a session', [204, 400, 404]],
  'PATCH /sessions/:id/extend': ['Extends a session', [200, 204, 400, 404]],
  'POST /recovery/code': ['Creates a recovery code', [201, 400, 404], 'return_to'],
  'POST /recovery/link': ['Creates a recovery link', [200, 400, 404], 'return_to'],
}

/** OpenAPI 3.1, without the schemas of bodies. */
export function openApi(ctx: Context): object {
  const { base_url } = ctx.config.serve.public
  const admin = { servers: [{ url: adminUrl(ctx, '').replace(/\/admin$/, '') }] }
  return {
    openapi: '3.1.0',
    info: { title: 'Identity service', version: VERSION },
    servers: [{ url: base_url }],
    paths: { ...pathsOf(publicRows), ...pathsOf(adminRows, '/admin', admin) },
    components: { schemas: { Error: ERROR } },
  }
}

function pathsOf(rows: Table, prefix = '', common: object = {}): Record<string, object> {
  const paths: Record<string, object> = {}
  for (const [route, [summary, statuses, query = '']] of Object.entries(rows)) {
    const [method = '', path = ''] = route.split(' ')
    const template = prefix + path.replaceAll(/:(\w+)/g, '{$1}')
    const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => parameter(name ?? '', 'path'))
    const inQuery = query.split(' ').flatMap((name) => (name ? [parameter(name, 'query')] : []))
    const operation = { summary, parameters: [...inPath, ...inQuery], responses: responsesOf(statuses) }
    paths[template] = { ...common, ...paths[template], [method.toLowerCase()]: operation }
  }
  return paths
}

function parameter(name: string, place: 'path' | 'query'): object {
  return { name, in: place, required: place === 'path', schema: { type: 'string' } }
}

function responsesOf(statuses: readonly number[]): object {
  const errors = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
  const all = statuses.map((status) => [
    status,
    status < 300 ? { description: 'Success' } : status < 400 ? { description: 'Redirect' } : error(errors),
  ])
  return { ...Object.fromEntries(all), default: error(errors) }
}

function error(content: object): object {
  return { description: 'Error, or the form with its messages', content }
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
