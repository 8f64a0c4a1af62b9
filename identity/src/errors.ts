import type { ErrorId } from './wire/error.ts'
import type { UiText } from './wire/text.ts'

/** A message and the field it belongs to; without a field it stands above the form. */
export interface FieldMessage {
  readonly message: UiText
  readonly field?: string
}

/** The person can mend it: becomes messages on the flow, HTTP 400. */
export class FormError extends Error {
  readonly entries: readonly FieldMessage[]

  constructor(entries: readonly FieldMessage[] | UiText, field?: string) {
    const list = 'id' in entries ? [{ message: entries, ...(field === undefined ? {} : { field }) }] : entries
    super(list.map((entry) => entry.message.id).join(', '))
    this.name = 'FormError'
    this.entries = list
  }
}

/** A credential did not prove what it should. */
export class WrongProof extends FormError {
  /** Of what kind, and whose account it was for: undefined where no account has the identifier. */
  readonly proof: { readonly method: string; readonly identity_id: string | undefined }

  constructor(method: string, identity_id: string | undefined, message: UiText) {
    super(message)
    this.name = 'WrongProof'
    this.proof = { method, identity_id }
  }
}

/** A hook says no: what was submitted was right, and nothing of it is kept. */
export class HookRefusal extends FormError {
  constructor(entries: readonly FieldMessage[]) {
    super(entries)
    this.name = 'HookRefusal'
  }
}

/** Something was tried too often: HTTP 429, on the form where there is one. */
export class LimitReached extends FormError {
  /** In seconds. */
  readonly retryAfter: number

  constructor(message: UiText, retryAfter: number) {
    super(message)
    this.name = 'LimitReached'
    this.retryAfter = retryAfter
  }
}

export interface ProtocolErrorParts {
  readonly id?: ErrorId
  /** HTTP status. */
  readonly status: number
  /** `error.code` of the body where it differs from the status. */
  readonly code?: number
  /** For people: what went wrong and what to do about it. Never holds a secret. */
  readonly reason?: string
  /** The short sentence of the body; the status' own when absent. */
  readonly message?: string
  readonly details?: Readonly<Record<string, unknown>>
  /** Members that stand beside `error` in the body. */
  readonly extra?: Readonly<Record<string, unknown>>
  /** Where a navigating browser goes instead of the error page. */
  readonly redirect?: string
  /** A new CSRF secret for the browser. */
  readonly csrf?: string
  /** Seconds after which a caller may come back. */
  readonly retryAfter?: number
  readonly cause?: unknown
}

/** The client must act on it: becomes an error body, or the error page for a navigating browser. */
export class ProtocolError extends Error {
  readonly parts: ProtocolErrorParts

  constructor(parts: ProtocolErrorParts) {
    super(parts.reason ?? parts.message, { cause: parts.cause })
    this.name = 'ProtocolError'
    this.parts = parts
  }
}

/** Makes the compiler prove that a switch over a union left nothing out. */
export function unreachable(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`)
}
