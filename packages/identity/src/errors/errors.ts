import type { ErrorId } from '../wire/error.ts'
import type { JsonObject } from '../wire/identity.ts'
import type { UiText } from '../wire/text.ts'

export interface FieldMessage {
  readonly message: UiText
  readonly field?: string
  /** The words of a web hook. */
  readonly verbatim?: true
}

/** Shown as messages on the flow, HTTP 400. */
export class FormError extends Error {
  readonly entries: readonly FieldMessage[]

  constructor(entries: readonly FieldMessage[] | UiText, field?: string) {
    const list = 'id' in entries ? [{ message: entries, ...(field === undefined ? {} : { field }) }] : entries
    super(list.map((entry) => entry.message.id).join(', '))
    this.name = 'FormError'
    this.entries = list
  }
}

export class WrongProof extends FormError {
  /** `identity_id` is undefined if no account has the identifier. */
  readonly proof: {
    readonly method: string
    readonly identity_id: string | undefined
    readonly detail?: 'not_verified'
  }

  constructor(method: string, identity_id: string | undefined, message: UiText, detail?: 'not_verified') {
    super(message)
    this.name = 'WrongProof'
    this.proof = { method, identity_id, ...(detail && { detail }) }
  }
}

/** A hook rejected a valid submission; nothing of it is stored. */
export class HookRefusal extends FormError {
  /** Undefined unless an earlier hook changed them. */
  readonly traits: JsonObject | undefined

  constructor(entries: readonly FieldMessage[], traits?: JsonObject) {
    super(entries)
    this.name = 'HookRefusal'
    this.traits = traits
  }
}

/** HTTP 429, on the form if there is one. */
export class LimitReached extends FormError {
  readonly retryAfter: number

  constructor(message: UiText, retryAfter: number) {
    super(message)
    this.name = 'LimitReached'
    this.retryAfter = retryAfter
  }
}

export interface ProtocolErrorParts {
  readonly id?: ErrorId
  readonly status: number
  /** `error.code` of the body, where it differs from the status. */
  readonly code?: number
  /** For users: the problem and how to fix it. Contains no secret. */
  readonly reason?: string
  /** With `texts: kratos`, where the id does not imply it. */
  readonly kratos_reason?: string
  /** Defaults to the status text. */
  readonly message?: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly extra?: Readonly<Record<string, unknown>>
  /** Where a navigating browser is redirected instead of the error page. */
  readonly redirect?: string
  readonly csrf?: string
  /** Binds the waiting submission to the browser. */
  readonly continuity_token?: string
  /** In seconds. */
  readonly retryAfter?: number
  readonly cause?: unknown
}

/** A JSON error, or the error page for a navigating browser. */
export class ProtocolError extends Error {
  readonly parts: ProtocolErrorParts

  constructor(parts: ProtocolErrorParts) {
    super(parts.reason ?? parts.message, { cause: parts.cause })
    this.name = 'ProtocolError'
    this.parts = parts
  }
}

export function unreachable(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`)
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The message of the first cause. Some driver errors have only a code. */
export function rootOf(error: unknown): string {
  const root = rootCauseOf(error)
  if (!(root instanceof Error)) return String(root)
  return root.message || ('code' in root ? String(root.code) : root.name)
}

export function rootCauseOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? rootCauseOf(error.cause) : error
}

export function badRequest(reason: string): ProtocolError {
  return new ProtocolError({ status: 400, reason })
}
