import { readableAddresses } from '../input/readable-address.ts'
import type { UiText } from '../wire/text.ts'

export function info(id: number, text: string, context?: UiText['context']): UiText {
  return message(id, 'info', text, context)
}

export function success(id: number, text: string, context?: UiText['context']): UiText {
  return message(id, 'success', text, context)
}

export function error(id: number, text: string, context?: UiText['context']): UiText {
  return message(id, 'error', text, context)
}

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

function message(id: number, type: UiText['type'], text: string, context: UiText['context']): UiText {
  return Object.freeze({
    id,
    text: readableAddresses(text),
    type,
    ...(context && { context: Object.freeze(context) }),
  })
}
