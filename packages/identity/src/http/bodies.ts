import type { MiddlewareHandler } from 'hono'
import type { Caller } from '../contract/caller.ts'
import type { Context, Submission } from '../contract/contract.ts'
import { ProtocolError } from '../errors/errors.ts'
import { brokenBound, isObject, parseFirstValue } from '../input/json.ts'
import { errorFor } from './errors.ts'
import type { Http } from './request.ts'

/** Keeps a byte-order mark, which is not JSON (RFC 8259, 8.1). */
export async function readText(c: Http): Promise<string> {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await c.req.arrayBuffer())
}

export function mediaTypeOf(c: Http): string {
  return (c.req.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

export function fewBodiesPerTurn({ admission }: Context): MiddlewareHandler {
  return async (c, next) => {
    // Without a declared length it may be of any size.
    await admission.waitToRead(Number(c.req.header('content-length') ?? Number.POSITIVE_INFINITY))
    return await next()
  }
}

const PATIENCE_BYTES = 5 * 1024 * 1024

/**
 * Reads the rest of a moderately large body: closing early would hide the 413 from a client that is still
 * sending (FLT-15).
 */
export async function tooLarge(ctx: Context, c: Http, reason: string): Promise<Response> {
  const announced = Number(c.req.header('content-length') ?? 0)
  const bearable = announced <= PATIENCE_BYTES && (await drainBody(c.req.raw.body))
  if (!bearable) c.header('Connection', 'close')
  return await errorFor(ctx, c, new ProtocolError({ status: 413, reason }), 'data')
}

async function drainBody(body: ReadableStream<Uint8Array> | null): Promise<boolean> {
  if (!body || body.locked) return false
  let remainingBytes = PATIENCE_BYTES
  for await (const chunk of body) {
    remainingBytes -= chunk.length
    if (remainingBytes < 0) return false
  }
  return true
}

export async function readSubmission(c: Http, caller: Caller): Promise<Submission> {
  const flow_id = c.req.query('flow') ?? null
  const text = await readText(c)
  const { values, problem } = readBody(mediaTypeOf(c), text)
  // Kratos compatibility: forms may be posted to an emailed link.
  const token = c.req.query('token')
  const linked = token === undefined || problem !== undefined ? values : { token, ...values }
  return { flow_id, caller, values: linked, ...(problem === undefined ? {} : { problem }) }
}

function readBody(type: string, text: string): Pick<Submission, 'values' | 'problem'> {
  if (text === '') return { values: {}, problem: 'The form was sent empty.' }
  switch (type) {
    case 'application/json':
      return parseJson(text)
    case 'application/x-www-form-urlencoded':
      return parseForm(text)
    case 'multipart/form-data':
      return { values: {} }
    default:
      return { values: {}, problem: 'The form must be sent as JSON or as a URL-encoded form.' }
  }
}

function parseJson(text: string): Pick<Submission, 'values' | 'problem'> {
  const problem = boundProblem(text, 'The form', JSON_BOUNDS)
  if (problem !== undefined) return { values: {}, problem }
  try {
    const value = parseFirstValue(text)
    if (!isObject(value)) return { values: {}, problem: 'The form must be sent as a JSON object.' }
    if (Object.keys(value).length <= MOST_FIELDS) return { values: { ...value } }
    return { values: {}, problem: `The form has more than ${MOST_FIELDS} fields.` }
  } catch {
    return { values: {}, problem: 'The form is not valid JSON.' }
  }
}

const MOST_FIELDS = 200
const JSON_BOUNDS = { depth: 16, values: 1_000 }

export function boundProblem(text: string, name: string, bounds: typeof JSON_BOUNDS): string | undefined {
  switch (brokenBound(text, bounds)) {
    case 'depth':
      return `${name} is nested more than ${bounds.depth} levels deep.`
    case 'values':
      return `${name} has more than ${bounds.values} values.`
    default:
      return undefined
  }
}

/**
 * Rendered forms repeat fields, so equal values merge and nonempty ones win. Only list traits accept different values
 * (SEC-08).
 */
function parseForm(text: string): Pick<Submission, 'values' | 'problem'> {
  if (text.split('&', MOST_FIELDS + 1).length > MOST_FIELDS)
    return { values: {}, problem: `The form has more than ${MOST_FIELDS} fields.` }
  // Kratos compatibility: other parsers split fields at a semicolon.
  if (/;|%(?![0-9a-f]{2})/i.test(text)) return { values: {}, problem: 'The form is not URL-encoded.' }
  const fields = Map.groupBy(new URLSearchParams(text), ([name]) => name)
  const named = [...fields].map(([name, pairs]) => [name, oneOrAll(pairs.map(([, value]) => value))] as const)
  const values: Record<string, unknown> = Object.fromEntries(named)
  // Kratos compatibility: a page may contain the buttons of several methods.
  return { values: Array.isArray(values.method) ? { ...values, method: values.method[0] } : values }
}

function oneOrAll(texts: readonly string[]): string | readonly string[] | undefined {
  const values = [...new Set(texts)]
  const filled = values.length === 1 ? values : values.filter((value) => value !== '')
  return filled.length === 1 ? filled[0] : filled
}

/** Kratos compatibility: Go's zero time stands for an unknown one. */
export const ZERO_TIME = '0001-01-01T00:00:00Z'
