import type { FieldMessage } from '../../errors/errors.ts'
import type { Method } from '../../wire/flow.ts'
import type { Json } from '../../wire/identity.ts'
import type { NodeGroup } from '../../wire/node.ts'

/** Private flow state, never shown. State of one strategy or flow kind is a `StoredFlowField`. */
export interface Memo {
  /** A submission matched no method. Names the group of the last error. */
  readonly unclaimed?: string
  /** By field name; null if omitted. Contains no passwords or codes. */
  readonly values?: Readonly<Record<string, Json>>
  readonly messages?: readonly FieldMessage[]
  /** Fields that only carry a message. */
  readonly orphanFields?: readonly string[]
  /** By method: encrypted secrets that wait for a confirmation. Changes by other methods keep them. */
  readonly unconfirmed?: Readonly<Record<string, string | undefined>>
  /** Only this strategy is shown. */
  readonly only?: Method
  /** Nodes added after the first render, shown last. */
  readonly last_group?: NodeGroup
  /** The second of two screens. By default it offers every method. */
  readonly second_screen?: { readonly methods?: readonly string[] }
  /** Those of the account that was named. By default every provider is offered. */
  readonly linked_providers?: readonly string[]
  /** An operator passes on this flow's code. No browser owns it, and it sends no email. */
  readonly by_operator?: true
}

export function hasErrors({ messages = [] }: Memo): boolean {
  return messages.some(({ message }) => message.type === 'error')
}

/** A memo member private to the files that import it, with encrypted secrets. */
export interface StoredFlowField<Value> {
  read(flow: { readonly memo: Memo }): Value | undefined
  write<F extends { readonly memo: Memo }>(flow: F, value: Value | undefined): F
  /** An object to spread into a memo. */
  entry(value: Value | undefined): Memo
  /** The entry of another flow. */
  copy(flow: { readonly memo: Memo }): Memo
}

/** Stored, so changing the name breaks open flows during an upgrade. */
export function storedFlowField<Value>(name: string): StoredFlowField<Value> {
  const read: StoredFlowField<Value>['read'] = ({ memo }) =>
    (memo as Readonly<Record<string, Value | undefined>>)[name]
  return {
    read,
    write: (flow, value) => ({ ...flow, memo: { ...flow.memo, [name]: value } }),
    entry: (value) => ({ [name]: value }),
    copy: (flow) => ({ [name]: read(flow) }),
  }
}
