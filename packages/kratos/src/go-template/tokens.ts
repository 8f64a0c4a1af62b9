export class TemplateError extends Error {
  constructor(message: string, line: number) {
    super(`line ${line}: ${message}`)
    this.name = 'TemplateError'
  }
}

/** `glued`: not after white space, so that `.a.b` differs from `.a .b`. */
export type Token = { readonly glued: boolean } & (
  | { readonly kind: 'field' | 'variable' | 'name' | 'punctuation'; readonly text: string }
  | { readonly kind: 'literal'; readonly value: string | number }
)

export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'action'; readonly tokens: readonly Token[]; readonly line: number }

/** Strings may contain `}}`. `{{-` and `-}}` trim white space. */
const ACTION = /\{\{(- )?((?:"(?:\\.|[^"\\\n])*"|`[^`]*`|\/\*[\s\S]*?\*\/|[^"`}]|\}(?!\}))*?)( -)?\}\}/g

/** Like Go. Throws `TemplateError`. */
export function readPieces(source: string): Piece[] {
  const pieces: Piece[] = []
  let [counted, line] = [0, 1]
  const lineOf = (index: number) => {
    line += source.slice(counted, index).split('\n').length - 1
    counted = index
    return line
  }
  let rest = 0
  let trims = false
  const addText = (end: number, trimsEnd: boolean) => {
    const cut = trims ? source.slice(rest, end).trimStart() : source.slice(rest, end)
    const text = trimsEnd ? cut.trimEnd() : cut
    const start = lineOf(rest)
    if (text.includes('{{')) throw new TemplateError('an action is not closed', start)
    if (text !== '') pieces.push({ kind: 'text', text })
  }
  for (const { index, 0: whole, 1: left, 2: body = '', 3: right } of source.matchAll(ACTION)) {
    addText(index, left !== undefined)
    const start = lineOf(index)
    const isComment = /^\s*\/\*[\s\S]*\*\/\s*$/.test(body)
    if (!isComment) pieces.push({ kind: 'action', tokens: readTokens(body, start), line: start })
    rest = index + whole.length
    trims = right !== undefined
  }
  addText(source.length, false)
  return pieces
}

const TOKEN =
  /(?<space>\s+)|(?<field>\.(?:[A-Za-z_]\w*)?)|(?<variable>\$\w*)|(?<name>[A-Za-z_]\w*)|(?<number>-?\d+(?:\.\d+)?)|(?<quoted>"(?:\\.|[^"\\])*")|(?<raw>`[^`]*`)|(?<punctuation>:=|[=|(),])/y

function readTokens(body: string, line: number): Token[] {
  const tokens: Token[] = []
  let glued = false
  for (let at = 0; at < body.length; ) {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(body)
    if (!match?.groups) throw new TemplateError(`unexpected ${JSON.stringify(body.slice(at, at + 10))}`, line)
    at += match[0].length
    const token = tokenOf(match.groups, line, glued)
    if (token) tokens.push(token)
    glued = token !== undefined
  }
  return tokens
}

function tokenOf(groups: Readonly<Record<string, string | undefined>>, line: number, glued: boolean) {
  const { space, number, quoted, raw } = groups
  if (space !== undefined) return undefined
  if (number !== undefined) return { glued, kind: 'literal', value: Number(number) } as const
  if (quoted !== undefined) return { glued, kind: 'literal', value: unquoted(quoted, line) } as const
  if (raw !== undefined) return { glued, kind: 'literal', value: raw.slice(1, -1) } as const
  for (const kind of ['field', 'variable', 'name', 'punctuation'] as const) {
    const text = groups[kind]
    if (text !== undefined) return { glued, kind, text }
  }
  return undefined
}

/** Those that JSON also has, and `\'`. */
function unquoted(text: string, line: number): string {
  try {
    return JSON.parse(text.replaceAll("\\'", "'").replaceAll('\t', '\\t')) as string
  } catch {
    throw new TemplateError(`invalid string ${text}`, line)
  }
}
