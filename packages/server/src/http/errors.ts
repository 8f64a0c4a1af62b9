import type { ContentfulStatusCode } from 'hono/utils/http-status'

const reasons = {
  bad_request: 'The request could not be understood.',
  unauthorized: 'No valid session was sent with the request.',
  forbidden: 'The session does not allow this.',
  confirmation_required: 'The user must reauthenticate first.',
  credential_required: 'After a recovery a new password or another credential must be set first.',
  not_available: 'The identity service in use does not offer this.',
  not_found: 'There is nothing at this address.',
  method_not_allowed: 'This address does not answer this method.',
  body_too_large: 'The request body is larger than this server reads.',
  url_too_long: 'The address is longer than this server reads.',
  unsupported_media_type: 'The request body is encoded in a way that this server does not read.',
  rate_limited: 'The number of requests is limited.',
  identity_unavailable: 'The identity service did not answer.',
  internal_error: 'Internal error.',
} as const

export type ProductErrorCode = keyof typeof reasons

const reasonsByCode: Readonly<Record<string, string>> = reasons

/** The wrong fields of the input, for users. A nested field is `address.city`. */
export type FieldErrors = Readonly<Record<string, string>>

interface ProductErrorOptions extends ErrorOptions {
  /** In seconds. */
  readonly retryAfter?: number
  readonly fields?: FieldErrors
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * A failure whose message callers may see. A route lists additional codes as `codes` in its description.
 *
 * @example throw new ProductError('link_exists', 409, 'This link is in your list already.')
 */
export class ProductError extends Error {
  readonly code: string
  readonly status: ContentfulStatusCode
  readonly headers: Readonly<Record<string, string>>
  readonly fields: FieldErrors | undefined

  constructor(
    code: ProductErrorCode | (string & {}),
    status: ContentfulStatusCode,
    message: string,
    options: ProductErrorOptions = {},
  ) {
    super(message, options)
    this.name = 'ProductError'
    this.code = code
    this.status = status
    const { retryAfter, headers, fields } = options
    this.fields = fields
    this.headers = { ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }), ...headers }
  }
}

/** An error that the operator can fix. Only its message is printed. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** Returns the value of a function in app/server.ts. Throws `StartError` unless it is an object: no start checks types. */
export function returnedBy<T>(part: string, returned: T, expected: string): T {
  if (returned instanceof Object && !(returned instanceof Promise)) return returned
  const actual = returned instanceof Promise ? 'a promise' : String(returned)
  throw new StartError(`${part} in app/server.ts returns ${actual}. Return ${expected}.`)
}

export function errorResponse(error: ProductError): Response {
  return Response.json(errorBody(error), {
    status: error.status,
    headers: { 'Cache-Control': 'no-store', ...error.headers },
  })
}

export interface ErrorBody<Code extends string = string> {
  readonly error: {
    readonly code: Code
    readonly status: number
    readonly reason: string
    readonly message: string
    readonly fields?: FieldErrors
  }
}

export function errorBody({ code, status, message, fields }: ProductError): ErrorBody {
  const reason = reasonsByCode[code] ?? message
  return { error: { code, status, reason, message, ...(fields && { fields }) } }
}
