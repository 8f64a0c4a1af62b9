import type { Env, Handler, MiddlewareHandler, TypedResponse } from 'hono'
import type { z } from 'zod'
import type { ErrorBody } from './errors.ts'
import { ProductError } from './errors.ts'

export interface Operation<Code extends string = string> {
  readonly summary?: string
  readonly query?: z.ZodType
  readonly json?: z.ZodType
  /** Undefined without content. */
  readonly answer?: z.ZodType
  readonly status?: number
  readonly errors?: readonly number[]
  /** Statuses of the route's own error codes. The web app knows these codes too. */
  readonly codes?: Readonly<Record<Code, number>>
}

const OPERATION = Symbol('operation')

type Described = (Handler | MiddlewareHandler) & { [OPERATION]?: Operation }

type Failure<Code extends string> = [Code] extends [never] ? Response : TypedResponse<ErrorBody<Code>>

export function describe<Code extends string = never>(
  operation: Operation<Code>,
): MiddlewareHandler<Env, string, object, Failure<Code>> {
  return describedBy(operation, async (_, next) => {
    await next()
  })
}

export function describedBy<M extends MiddlewareHandler>(operation: Operation, middleware: M): M {
  return Object.assign(middleware, { [OPERATION]: operation })
}

export function descriptionOf(handler: Described): Operation {
  return handler[OPERATION] ?? {}
}

type Target = 'json' | 'query'
type Validated<K extends Target, T> = { in: { [P in K]: T }; out: { [P in K]: T } }

/** Answers 400 with the sentence unless the JSON body or the query fits. */
export function validated<K extends Target, T extends object>(
  target: K,
  schema: z.ZodType<T>,
  sentence: string,
): MiddlewareHandler<object, string, Validated<K, T>> {
  return describedBy({ [target]: schema, errors: [400] }, async (c, next) => {
    const sent: unknown = target === 'query' ? c.req.query() : await c.req.json().catch(() => undefined)
    const parsed = schema.safeParse(sent)
    if (!parsed.success) throw new ProductError('bad_request', 400, sentence)
    c.req.addValidatedData(target, parsed.data)
    await next()
  })
}
