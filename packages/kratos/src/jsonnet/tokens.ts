interface Token {
  readonly kind: 'number' | 'string' | 'name' | 'symbol' | 'end'
  readonly text: string
  readonly line: number
}

/** A program that cannot be evaluated. Quotes no input, except what its `error` says. */
export class JsonnetError extends Error {
  override readonly name = 'JsonnetError'
  /** Set if the program's code alone decided the message: `error 'text'`. Input can appear in any other. */
  readonly userText: string | undefined

  constructor(message: string, options: ErrorOptions & { readonly userText?: string | undefined } = {}) {
    super(message, options)
    this.userText = options.userText
  }
}

const SPACE = /(?:\s|\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/)+/y
const NUMBER = /(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const NAME = /[A-Za-z_]\w*/y
const QUOTED = /"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'/y
const VERBATIM = /@"(?:[^"]|"")*"|@'(?:[^']|'')*'/y
const BLOCK = /\|\|\|(-?)[ \t\r]*\n([\s\S]*?)\n[ \t]*\|\|\|/y
/** Not the start of an unclosed block or comment: searching the end of each would be quadratic. */
const SYMBOL = /(?!\|\|\||\/\*)(?::::|::|<<|>>|<=|>=|==|!=|&&|\|\||[{}[\]().,;:$+\-*/%<>=!~&|^])/y

/** Throws `JsonnetError` with the line. */
function tokenize(code: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  let line = 1
  const takeMatch = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at
    const match = pattern.exec(code) ?? undefined
    if (!match) return undefined
    at += match[0].length
    line += match[0].split('\n').length - 1
    return match
  }
  while (at < code.length) {
    if (takeMatch(SPACE)) continue
    const start = line
    const token = readToken(takeMatch)
    if (!token) throw new JsonnetError(`unexpected ${JSON.stringify(code[at])} (line ${line})`)
    tokens.push({ ...token, line: start })
  }
  return [...tokens, { kind: 'end', text: 'end of file', line }]
}

type Take = (pattern: RegExp) => RegExpExecArray | undefined

function readToken(take: Take): Pick<Token, 'kind' | 'text'> | undefined {
  const text = readString(take)
  if (text !== undefined) return { kind: 'string', text }
  const number = take(NUMBER)
  if (number) return { kind: 'number', text: number[0] }
  const name = take(NAME)
  if (name) return { kind: 'name', text: name[0] }
  const symbol = take(SYMBOL)
  return symbol && { kind: 'symbol', text: symbol[0] }
}

function readString(take: Take): string | undefined {
  const quoted = take(QUOTED)?.[0]
  if (quoted !== undefined) return unescaped(quoted.slice(1, -1))
  const verbatim = take(VERBATIM)?.[0]
  if (verbatim !== undefined) {
    const quote = verbatim.charAt(1)
    return verbatim.slice(2, -1).replaceAll(quote + quote, quote)
  }
  const block = take(BLOCK)
  return block && unindent(block[2] ?? '', block[1] === '-')
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

function unescaped(text: string): string {
  return text.replaceAll(/\\(?:u([\da-fA-F]{4})|([\s\S]))/g, (_, hex: string | undefined, char = '') => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
    if (ESCAPES[char] !== undefined) return ESCAPES[char]
    if (`"'\\/`.includes(char)) return char
    throw new JsonnetError(`unknown escape \\${char}`)
  })
}

function unindent(text: string, chomps: boolean): string {
  const lines = text.split('\n')
  const indent = /^[ \t]*/.exec(lines.find((line) => line.trim() !== '') ?? '')?.[0] ?? ''
  const plain = lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()))
  return plain.join('\n') + (chomps ? '' : '\n')
}

const KEYWORDS =
  /^(assert|else|error|false|for|function|if|import|importstr|importbin|in|local|null|self|super|tailstrict|then|true)$/

export function isKeyword(text: string): boolean {
  return KEYWORDS.test(text)
}

/** Reads tokens in turn. */
export class Cursor {
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(code: string) {
    this.#tokens = tokenize(code)
  }

  peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)] as Token
  }

  next(): Token {
    this.#at += 1
    return this.peek(-1)
  }

  is(text: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return token.text === text && (token.kind === 'symbol' || (token.kind === 'name' && isKeyword(text)))
  }

  accept(text: string): boolean {
    if (!this.is(text)) return false
    this.#at += 1
    return true
  }

  expect(text: string): void {
    if (!this.accept(text)) this.fail()
  }

  name(): string {
    const { kind, text } = this.peek()
    return kind === 'name' && !isKeyword(text) ? this.next().text : this.fail()
  }

  list<T>(end: string, item: (cursor: Cursor) => T): T[] {
    const items = []
    while (!this.accept(end)) {
      items.push(item(this))
      if (!this.accept(',') && !this.is(end)) this.fail()
    }
    return items
  }

  fail(ahead = 0): never {
    const { text, line } = this.peek(ahead)
    throw new JsonnetError(`unexpected ${text} (line ${line})`)
  }
}
