interface SpanKind {
  readonly on: string
  readonly help: string
}

/** No value is a query, header, body, token, code or literal of a statement. */
export const ATTRIBUTES = {
  'http.request.method': { on: 'request, call', help: 'The method; `_OTHER` for one that is made up' },
  'http.route': { on: 'request', help: 'The template of the route, as in the metrics' },
  'http.response.status_code': { on: 'request, call', help: 'The status of the response' },
  'url.path': { on: 'request', help: 'The path without the query, at most 256 characters' },
  'server.address': { on: 'request, call', help: 'The host of this server, or of the one that is called' },
  'client.address': { on: 'request', help: 'The address of the client, after the trusted proxies' },
  'error.type': {
    on: 'all',
    help: 'Of failures: the status, the name of an error, or `aborted` if the client left first',
  },
  'identity.port': { on: 'request', help: '`public` or `admin`' },
  'identity.request_id': { on: 'request', help: 'The `X-Request-Id` of the response, as in the log' },
  'identity.flow.kind': { on: 'request', help: 'login, registration, settings, recovery or verification' },
  'identity.flow.type': { on: 'request', help: '`browser` or `api`' },
  'identity.flow.method': { on: 'request', help: 'The method that took the submission' },
  'identity.flow.outcome': {
    on: 'request',
    help: '`opened`, `continued`, `refused`, `limited`, `finished` or `redirected`',
  },
  'identity.error.id': { on: 'request', help: 'The id of the error, as in the response' },
  'db.system.name': { on: 'statement', help: '`sqlite` or `postgresql`' },
  'db.operation.name': { on: 'statement', help: 'select, insert, update, delete, begin, commit or other' },
  'db.collection.name': { on: 'statement', help: 'The first table of the statement' },
  'identity.message.channel': { on: 'message', help: '`email` or `sms`' },
  'identity.message.template': { on: 'message', help: 'The template, such as `login_code`' },
  'identity.message.result': { on: 'message', help: '`sent`, `refused`, `postponed` or `unreachable`' },
  'identity.call.target': {
    on: 'call',
    help: '`provider`, `web_hook`, `breached_passwords`, `oauth2_provider`, `product` or `identity_service`',
  },
  'identity.call.provider': { on: 'call', help: 'The id of the provider in the configuration' },
} as const satisfies Readonly<Record<string, SpanKind>>

export type AttributeName = keyof typeof ATTRIBUTES
