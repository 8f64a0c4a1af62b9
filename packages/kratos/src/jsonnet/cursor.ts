import { JsonnetError, type Token, tokenize } from './tokens.ts'

/** Reads tokens in turn. */
export interface Cursor {
  peek(ahead?: number): Token
  next(): Token
  stepBack(): void
  is(text: string, ahead?: number): boolean
  accept(text: string): boolean
  expect(text: string): void
  name(): string
  list<T>(end: string, item: (cursor: Cursor) => T): T[]
  fail(): never
}

const KEYWORDS = new Set(
  'assert else error false for function if import importstr importbin in local null self super tailstrict then true'.split(
    ' ',
  ),
)

export function isKeyword(text: string): boolean {
  return KEYWORDS.has(text)
}

export function cursorOf(code: string): Cursor {
  const tokens = tokenize(code)
  let at = 0
  const cursor: Cursor = {
    peek: (ahead = 0) => tokens[Math.min(at + ahead, tokens.length - 1)] as Token,
    next() {
      at += 1
      return cursor.peek(-1)
    },
    stepBack() {
      at -= 1
    },
    is(text, ahead = 0) {
      const token = cursor.peek(ahead)
      return token.text === text && (token.kind === 'symbol' || (token.kind === 'name' && isKeyword(text)))
    },
    accept(text) {
      if (!cursor.is(text)) return false
      at += 1
      return true
    },
    expect(text) {
      if (!cursor.accept(text)) cursor.fail()
    },
    name() {
      const { kind, text } = cursor.peek()
      return kind === 'name' && !isKeyword(text) ? cursor.next().text : cursor.fail()
    },
    list(end, item) {
      const items = []
      while (!cursor.accept(end)) {
        items.push(item(cursor))
        if (!cursor.accept(',') && !cursor.is(end)) cursor.fail()
      }
      return items
    },
    fail() {
      const { text, line } = cursor.peek()
      throw new JsonnetError(`unexpected ${text} (line ${line})`)
    },
  }
  return cursor
}
