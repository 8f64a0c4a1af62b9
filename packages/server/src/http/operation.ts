import type { Env, Handler, MiddlewareHandler, TypedResponse } from 'hono'
import { z } from 'zod'
import { type ErrorBody, type FieldErrors, ProductError } from './errors.ts'

/** Of `zod`, or of `zod/mini`. */
export type Schema<Parsed = unknown, Sent = unknown> = z.core.$ZodType<Parsed, Sent>

export interface Operation<Code extends string = string> {
  readonly summary?: string
  readonly query?: Schema
  readonly json?: Schema
  /** Undefined without content. */
  readonly answer?: Schema
  readonly status?: number
  readonly errors?: readonly number[]
  /** Statuses of the route's own error codes. The web app knows these codes too. */
  readonly codes?: Readonly<Record<Code, number>>
}

const OPERATION = Symbol('operation')

type Described = (Handler | MiddlewareHandler) & { [OPERATION]?: Operation }

type Failure<Code extends string> = [Code] extends [never] ? Response : TypedResponse<ErrorBody<Code>>

/**
 * Describes a route for the OpenAPI document, and its own error codes for the web app.
 *
 * @example new Hono().get('/links', describeRoute({ summary: 'The links of the user' }), (c) => c.json([]))
 */
export function describeRoute<Code extends string = never>(
  operation: Operation<Code>,
): MiddlewareHandler<Env, string, object, Failure<Code>> {
  return describedBy(operation, async (_, next) => {
    await next()
  })
}

/** Adds the description of a middleware to the routes that use it. */
export function describedBy<M extends MiddlewareHandler>(operation: Operation, middleware: M): M {
  return Object.assign(middleware, { [OPERATION]: operation })
}

export function descriptionOf(handler: Described): Operation {
  return handler[OPERATION] ?? {}
}

type Target = 'json' | 'query'
type Validated<K extends Target, Sent, Parsed> = { in: { [P in K]: Sent }; out: { [P in K]: Parsed } }

/**
 * Answers 400 unless the JSON body or the query fits, with the schema's message for each wrong field.
 *
 * @example new Hono().post('/links', validator('json', z.object({ url: z.url() })), (c) => c.json(c.req.valid('json'), 201))
 */
export function validator<K extends Target, Parsed extends object, Sent>(
  target: K,
  schema: Schema<Parsed, Sent>,
  sentence = 'The input is not valid',
): MiddlewareHandler<object, string, Validated<K, Sent, Parsed>> {
  return describedBy({ [target]: schema, errors: [400] }, async (c, next) => {
    const input: unknown = target === 'query' ? c.req.query() : await c.req.json().catch(refuseOther)
    const parsed = z.safeParse(schema, input)
    if (!parsed.success)
      throw new ProductError('bad_request', 400, sentence, { fields: fieldErrors(parsed.error) })
    c.req.addValidatedData(target, parsed.data)
    await next()
  })
}

function refuseOther(): never {
  throw new ProductError('bad_request', 400, 'The body must be JSON')
}

/** The first message of each field. Undefined if the input as a whole is wrong. */
function fieldErrors({ issues }: z.core.$ZodError): FieldErrors | undefined {
  const named = issues.filter(({ path }) => path.length > 0)
  const errors: Record<string, string> = {}
  for (const { path, message } of named) errors[path.join('.')] ??= message
  return named.length > 0 ? errors : undefined
}
