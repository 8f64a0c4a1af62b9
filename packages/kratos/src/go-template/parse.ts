import { type Piece, readPieces, TemplateError, type Token } from './tokens.ts'

export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'output'; readonly pipeline: Pipeline; readonly line: number; readonly slot: Slot }
  | { readonly kind: 'if' | 'with' | 'range'; readonly pipeline: Pipeline; readonly body: Body }
  | {
      readonly kind: 'call'
      readonly name: string
      readonly pipeline?: Pipeline | undefined
      readonly line: number
    }

/** Set by `html-context.ts`. */
export interface Slot {
  escape: 'none' | 'text' | 'url' | 'url-part' | 'query'
}

export interface Body {
  readonly then: readonly Node[]
  readonly otherwise: readonly Node[]
}

/** `$a, $b := first | second`: the previous result is the last argument. */
export interface Pipeline {
  readonly variables: readonly string[]
  readonly declares: boolean
  readonly commands: readonly (readonly Operand[])[]
  readonly line: number
}

export type Operand = { readonly fields: readonly string[] } & (
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'dot' }
  | { readonly kind: 'variable' | 'function'; readonly name: string }
  | { readonly kind: 'pipeline'; readonly pipeline: Pipeline }
)

export interface Parsed {
  readonly main: readonly Node[]
  readonly templates: ReadonlyMap<string, readonly Node[]>
}

/** Throws `TemplateError`. */
export function parseTemplate(source: string): Parsed {
  const reader: Reader = { pieces: readPieces(source), at: 0, templates: new Map() }
  const { nodes, end } = readNodes(reader)
  if (end) throw new TemplateError(`{{${end.word}}} closes nothing`, end.line)
  return { main: nodes, templates: reader.templates }
}

interface Reader {
  readonly pieces: readonly Piece[]
  at: number
  readonly templates: Map<string, readonly Node[]>
}

interface End {
  readonly word: 'end' | 'else'
  readonly rest: readonly Token[]
  readonly line: number
}

function readNodes(reader: Reader): { readonly nodes: Node[]; readonly end?: End } {
  const nodes: Node[] = []
  for (let piece = reader.pieces[reader.at++]; piece; piece = reader.pieces[reader.at++]) {
    if (piece.kind === 'text') {
      nodes.push({ kind: 'text', text: piece.text })
      continue
    }
    const { tokens, line } = piece
    const word = wordOf(tokens[0])
    if (word === 'end' || word === 'else') return { nodes, end: { word, rest: tokens.slice(1), line } }
    const node = readAction(reader, word, tokens, line)
    if (node) nodes.push(node)
  }
  return { nodes }
}

function readAction(
  reader: Reader,
  word: string | undefined,
  tokens: readonly Token[],
  line: number,
): Node | undefined {
  switch (word) {
    case 'if':
    case 'with':
    case 'range':
      return readBlock(reader, word, tokens.slice(1), line)
    case 'define':
    case 'block':
      return readNamed(reader, word, tokens.slice(1), line)
    case 'template':
      return readCall(tokens.slice(1), line)
    case 'break':
    case 'continue':
      throw new TemplateError(`{{${word}}} is not supported`, line)
    default:
      return { kind: 'output', pipeline: readPipeline(tokens, line), line, slot: { escape: 'none' } }
  }
}

function readBlock(
  reader: Reader,
  kind: 'if' | 'with' | 'range',
  tokens: readonly Token[],
  line: number,
): Node {
  const pipeline = readPipeline(tokens, line)
  const { nodes: then, end } = readNodes(reader)
  if (!end) throw new TemplateError(`{{${kind}}} has no {{end}}`, line)
  if (end.word === 'end') return { kind, pipeline, body: { then, otherwise: [] } }
  const next = wordOf(end.rest[0])
  if (next === 'if' || next === 'with') {
    const otherwise = [readBlock(reader, next, end.rest.slice(1), end.line)]
    return { kind, pipeline, body: { then, otherwise } }
  }
  const { nodes: otherwise, end: last } = readNodes(reader)
  if (last?.word !== 'end') throw new TemplateError(`{{${kind}}} has no {{end}}`, line)
  return { kind, pipeline, body: { then, otherwise } }
}

function readNamed(
  reader: Reader,
  word: 'define' | 'block',
  [first, ...rest]: readonly Token[],
  line: number,
): Node | undefined {
  const name = nameOf(first, line)
  const { nodes, end } = readNodes(reader)
  if (end?.word !== 'end') throw new TemplateError(`{{${word}}} has no {{end}}`, line)
  reader.templates.set(name, nodes)
  return word === 'block' ? { kind: 'call', name, line, pipeline: readPipeline(rest, line) } : undefined
}

function readCall([first, ...rest]: readonly Token[], line: number): Node {
  const name = nameOf(first, line)
  return { kind: 'call', name, line, pipeline: rest.length === 0 ? undefined : readPipeline(rest, line) }
}

function nameOf(token: Token | undefined, line: number): string {
  if (token?.kind === 'literal' && typeof token.value === 'string') return token.value
  throw new TemplateError('expected the name of a template in quotes', line)
}

function wordOf(token: Token | undefined): string | undefined {
  return token?.kind === 'name' ? token.text : undefined
}

function readPipeline(tokens: readonly Token[], line: number): Pipeline {
  const sign = tokens.findIndex((token) => token.kind === 'punctuation' && /^:?=$/.test(token.text))
  const head = sign < 0 ? [] : tokens.slice(0, sign).filter((token) => !isMark(token, ','))
  const variables = head.map((token) => {
    if (token.kind === 'variable') return token.text
    throw new TemplateError('expected a variable before the =', line)
  })
  const declares = sign >= 0 && isMark(tokens[sign], ':=')
  const reader = { tokens: tokens.slice(sign + 1), at: 0, line }
  const commands = readCommands(reader)
  if (reader.at < reader.tokens.length) throw new TemplateError('unexpected )', line)
  return { variables, declares, commands, line }
}

interface Words {
  readonly tokens: readonly Token[]
  at: number
  readonly line: number
}

function readCommands(words: Words): Operand[][] {
  const commands: Operand[][] = [[]]
  for (let token = words.tokens[words.at]; token && !isMark(token, ')'); token = words.tokens[words.at]) {
    words.at += 1
    if (isMark(token, '|')) commands.push([])
    else commands.at(-1)?.push(readOperand(words, token))
  }
  if (commands.some((command) => command.length === 0))
    throw new TemplateError('a value is missing', words.line)
  return commands
}

function readOperand(words: Words, token: Token): Operand {
  const first = firstOf(words, token)
  const fields =
    first.kind === 'dot' && token.kind === 'field' && token.text !== '.' ? [token.text.slice(1)] : []
  for (
    let next = words.tokens[words.at];
    next?.kind === 'field' && next.glued;
    next = words.tokens[words.at]
  ) {
    fields.push(next.text.slice(1))
    words.at += 1
  }
  return { ...first, fields }
}

type OperandStart = Operand extends infer Each ? (Each extends Operand ? Omit<Each, 'fields'> : never) : never

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['nil', null],
])

function firstOf(words: Words, token: Token): OperandStart {
  if (token.kind === 'literal') return { kind: 'literal', value: token.value }
  if (token.kind === 'field') return { kind: 'dot' }
  if (token.kind === 'variable') return { kind: 'variable', name: token.text }
  if (token.kind === 'name') {
    const constant = CONSTANTS.get(token.text)
    return constant === undefined
      ? { kind: 'function', name: token.text }
      : { kind: 'literal', value: constant }
  }
  if (token.text !== '(') throw new TemplateError(`unexpected ${token.text}`, words.line)
  const commands = readCommands(words)
  if (!isMark(words.tokens[words.at], ')')) throw new TemplateError('a ( is not closed', words.line)
  words.at += 1
  return { kind: 'pipeline', pipeline: { variables: [], declares: false, commands, line: words.line } }
}

function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === 'punctuation' && token.text === text
}
