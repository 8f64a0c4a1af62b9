import type { FieldMessage } from '../../errors/errors.ts'
import type { Method } from '../../wire/flow.ts'
import type { Json } from '../../wire/identity.ts'
import type { NodeGroup } from '../../wire/node.ts'

/**
 * Private state of a flow, never shown. These members belong to every flow; what belongs to one strategy or one kind
 * of flow is a `MemoPart`.
 */
export interface Memo {
  /** The last submission matched no method. */
  readonly unclaimed?: true
  /** Typed values by field name; null if a field was omitted. Passwords and codes are never stored. */
  readonly values?: Readonly<Record<string, Json>>
  /** The form's current messages. */
  readonly messages?: readonly FieldMessage[]
  /** Names of fields that exist only to carry a message. */
  readonly orphanFields?: readonly string[]
  /** The strategy that continues this flow; the others are not shown. */
  readonly only?: Method
  /** Nodes added after the form was first rendered: they come last. */
  readonly last_group?: NodeGroup
  /** Set on the second of two screens: the methods and providers that it offers, or all. */
  readonly second_screen?: { readonly methods?: readonly string[]; readonly providers?: readonly string[] }
  /** An operator created this flow and passes its code on: no browser owns it, and it sends no email. */
  readonly by_operator?: true
}

/** Whether the form shows an error. */
export function hasErrors({ messages = [] }: Memo): boolean {
  return messages.some(({ message }) => message.type === 'error')
}

/** A member of the memo that only the files which import it can read or change. Secrets in it are encrypted. */
export interface MemoPart<Value> {
  read(flow: { readonly memo: Memo }): Value | undefined
  /** The flow with another value, or without one. */
  write<F extends { readonly memo: Memo }>(flow: F, value: Value | undefined): F
  /** The part alone, to spread into a memo. */
  entry(value: Value | undefined): Memo
}

/** Declares a part. Its name is what is stored, so that a flow survives a new version of the service. */
export function memoPart<Value>(name: string): MemoPart<Value> {
  return {
    read: ({ memo }) => (memo as Readonly<Record<string, Value | undefined>>)[name],
    write: (flow, value) => ({ ...flow, memo: { ...flow.memo, [name]: value } }),
    entry: (value) => ({ [name]: value }),
  }
}
