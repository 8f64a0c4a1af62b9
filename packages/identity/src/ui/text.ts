import { readableAddresses } from '../input/readable-address.ts'
import type { UiText } from '../wire/text.ts'

const messageOf =
  (type: UiText['type']) =>
  (id: number, text: string, context?: UiText['context']): UiText =>
    Object.freeze({
      id,
      text: readableAddresses(text),
      type,
      ...(context && { context: Object.freeze(context) }),
    })

export const info = messageOf('info')
export const success = messageOf('success')
export const error = messageOf('error')

/** `{ used_at }` becomes `{ used_at, used_at_unix }`. */
export function withUnix(time: Readonly<Record<string, string>>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(time).flatMap(([name, value]) => [
      [name, value],
      [`${name}_unix`, Math.floor(Date.parse(value) / 1000)],
    ]),
  )
}

/** Addresses have at most 320 characters. */
const LONGEST_QUOTE = 500

/** Forms store their messages, which must not grow with the input (FLT-23). */
export function quoted(typed: string): string {
  return typed.slice(0, LONGEST_QUOTE)
}
