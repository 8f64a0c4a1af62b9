import { learnServerTime } from '@ostiary/react/internal'
import type { AccountApi, ErrorBody, FieldErrors, OwnApi, ProductErrorCode } from '@ostiary/server'
import { layoutTexts } from '../texts/layout.ts'

type ProductApi = AccountApi & OwnApi

/**
 * A failed call of the product's backend; its message may be shown to users.
 *
 * @example const isMissing = error instanceof RequestFailed && error.status === 404
 */
export class RequestFailed extends Error {
  override name = 'RequestFailed'
  declare readonly status: number | undefined
  /** Undefined for errors of the network and of the identity service. */
  declare readonly code: ErrorCode | undefined
  /** The wrong fields of the input, which `rejectForm` shows. */
  declare readonly fields: FieldErrors | undefined
  constructor(message: string, status?: number, details?: FailureDetails) {
    super(message, details)
    Object.assign(this, { status, ...details })
  }
}

interface FailureDetails extends ErrorOptions {
  readonly code?: ErrorCode
  readonly fields?: FieldErrors
}

type Path = keyof ProductApi
type MethodOf<P extends Path> = keyof ProductApi[P] extends `$${infer M}` ? Uppercase<M> : never
type Call<P extends Path, M extends string> = ProductApi[P][`$${Lowercase<M>}` & keyof ProductApi[P]]
/** The body may be a file. */
type InputOf<C> = C extends { input: infer I } ? I & { readonly body?: Blob } : never

/** For an unknown path, `P` is any of them: the error is then about the path, not about a missing input. */
type InputArguments<P extends Path, M extends string> = Path extends P
  ? [input?: object]
  : object extends InputOf<Call<P, M>>
    ? [InputOf<Call<P, M>>?]
    : [InputOf<Call<P, M>>]

/** The JSON of an answer of the product API. */
export type ApiAnswer<P extends Path, M extends string = 'GET'> =
  Call<P, M> extends { output: infer O } ? Exclude<O, ErrorBody> : never

type CodeOf<C> = C extends { output: ErrorBody<infer Code> } ? Code : never

/** The codes of every call, and those that routes describe as their own. */
type ErrorCode = ProductErrorCode | { [P in Path]: CodeOf<ProductApi[P][keyof ProductApi[P]]> }[Path]

interface AnyInput {
  readonly param?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly json?: object
  readonly body?: Blob
}

/**
 * Calls the product API with cookies. Throws `RequestFailed` unless the answer is a success.
 *
 * @example const { json } = await callApi('GET', '/account/deletion')
 */
export async function callApi<P extends Path, M extends MethodOf<P>>(
  method: M,
  path: P,
  ...[input]: InputArguments<P, M>
): Promise<{ json: ApiAnswer<P, M>; headers: Headers }> {
  const { param = {}, query, json, body } = (input ?? {}) as AnyInput
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(param[name] ?? ''))
  const search = query ? `?${new URLSearchParams(query)}` : ''
  const content = json
    ? { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(json) }
    : { body }
  const answer = await request(`/api/v1${filled}${search}`, { method, ...content })
  return answer as { json: ApiAnswer<P, M>; headers: Headers }
}

/** A success without content has the JSON `undefined`. */
export async function request(
  path: string,
  init: RequestInit = {},
): Promise<{ json: unknown; headers: Headers }> {
  const response = await fetch(path, {
    ...init,
    credentials: 'include',
    headers: { Accept: 'application/json', ...init.headers },
  }).catch((cause: unknown) => {
    throw new RequestFailed(layoutTexts.noAnswer, undefined, { cause })
  })
  learnServerTime(response)
  const json: unknown = await response.json().catch(() => undefined)
  if (response.ok && (json !== undefined || response.status === 204))
    return { json, headers: response.headers }
  const { error } = (json ?? {}) as { error?: { code?: unknown } & Partial<ErrorBody['error']> }
  // The product API's specific sentence is `message`, and the identity service's, whose code is a number, `reason`.
  const code = typeof error?.code === 'string' ? (error.code as ErrorCode) : undefined
  const sentence = (code ? undefined : error?.reason) ?? error?.message
  const text = sentence ?? layoutTexts.invalidAnswer
  throw new RequestFailed(text, response.status, { code, fields: error?.fields })
}
