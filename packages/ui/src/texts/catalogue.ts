import type { MessageTexts } from '@ostiary/react'
import type { Catalogues } from '../catalogues.ts'

/** Other sentences for single keys, by catalogue. */
export type TextOverrides = { readonly [Name in keyof Catalogues]?: Override<Catalogues[Name]> } & {
  /** Messages and labels of the protocol, by id. A function gets the message's context. */
  readonly messages?: MessageTexts
}

type Override<T> = T extends (...given: infer Given) => infer R
  ? (...given: Given) => Wide<R>
  : T extends string
    ? string
    : T extends readonly unknown[]
      ? { readonly [Index in keyof T]: Override<T[Index]> }
      : { readonly [Key in keyof T]?: Override<T[Key]> }

type Wide<T> = T extends string ? string : T

type Texts = Record<string, unknown>

export const catalogues = new Map<string, Texts>()
let overrides: Readonly<Record<string, Texts | undefined>> = {}
let messages: MessageTexts = {}

/** The sentences of one part of the pages. A product may replace any of them. */
export function catalogue<const T extends object>(name: keyof Catalogues, texts: T): T {
  catalogues.set(name, texts as Texts)
  replace(texts as Texts, overrides[name])
  return texts
}

/** Also of parts that are loaded later; `defineApp` calls it. */
export function overrideTexts({ messages: ownMessages = {}, ...others }: TextOverrides): void {
  messages = ownMessages
  overrides = others as typeof overrides
  for (const [name, texts] of catalogues) replace(texts, overrides[name])
}

function replace(texts: Texts, ownTexts: Texts | undefined): void {
  for (const [key, value] of Object.entries(ownTexts ?? {})) {
    const present = texts[key]
    if (isGroup(present) && isGroup(value)) replace(present, value)
    else texts[key] = value
  }
}

function isGroup(value: unknown): value is Texts {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function messageTexts(): MessageTexts {
  return messages
}
