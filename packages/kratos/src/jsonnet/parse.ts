import type { Assertion, Bind, Clause, FieldNode, Node, Parameter, Visibility } from './nodes.ts'
import { Cursor, isKeyword, JsonnetError } from './tokens.ts'

const LEVELS = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '>', '<=', '>=', 'in'],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
]
const NULL: Node = { kind: 'literal', value: null }

/** Throws `JsonnetError`. */
export function parse(code: string): Node {
  const t = new Cursor(code)
  const root = expression(t)
  return t.peek().kind === 'end' ? root : t.fail()
}

function expression(t: Cursor): Node {
  if (t.accept('local')) return local(t)
  if (t.accept('if')) return conditional(t)
  if (t.accept('function')) return { kind: 'function', params: parameters(t), body: expression(t) }
  if (t.accept('error')) return { kind: 'error', message: expression(t) }
  if (t.accept('assert')) {
    const assertion = readAssertion(t)
    t.expect(';')
    return { kind: 'assert', assertion, body: expression(t) }
  }
  return binary(t, 0)
}

function local(t: Cursor): Node {
  const binds = [bind(t)]
  while (t.accept(',')) binds.push(bind(t))
  t.expect(';')
  return { kind: 'local', binds, body: expression(t) }
}

function bind(t: Cursor): Bind {
  const name = t.name()
  if (t.is('(')) {
    const params = parameters(t)
    t.expect('=')
    return { name, value: { kind: 'function', params, body: expression(t) } }
  }
  t.expect('=')
  return { name, value: expression(t) }
}

function conditional(t: Cursor): Node {
  const test = expression(t)
  t.expect('then')
  const consequent = expression(t)
  return { kind: 'if', test, consequent, alternate: t.accept('else') ? expression(t) : NULL }
}

function parameters(t: Cursor): Parameter[] {
  t.expect('(')
  return t.list(')', () => {
    const name = t.name()
    return t.accept('=') ? { name, fallback: expression(t) } : { name }
  })
}

function readAssertion(t: Cursor): Assertion {
  const test = expression(t)
  return t.accept(':') ? { test, message: expression(t) } : { test }
}

function binary(t: Cursor, level: number): Node {
  const operators = LEVELS[level]
  if (!operators) return unary(t)
  let left = binary(t, level + 1)
  for (;;) {
    const operator = operators.find((one) => t.is(one))
    if (operator === undefined) return left
    t.next()
    if (operator === 'in' && t.is('super') && !t.is('.', 1) && !t.is('[', 1)) {
      t.next()
      left = { kind: 'in super', name: left }
    } else {
      const right = startsExpression(t) ? expression(t) : binary(t, level + 1)
      left = { kind: 'binary', operator, left, right }
    }
  }
}

function startsExpression(t: Cursor): boolean {
  return ['local', 'if', 'function', 'error', 'assert'].some((one) => t.is(one))
}

function unary(t: Cursor): Node {
  const operator = ['-', '+', '!', '~'].find((one) => t.is(one))
  if (operator === undefined) return postfix(t)
  t.next()
  return { kind: 'unary', operator, operand: startsExpression(t) ? expression(t) : unary(t) }
}

function postfix(t: Cursor): Node {
  let operand = primary(t)
  for (;;) {
    if (t.accept('.')) operand = { kind: 'index', operand, index: { kind: 'literal', value: t.name() } }
    else if (t.accept('[')) operand = bracket(t, operand)
    else if (t.is('(')) operand = call(t, operand)
    else if (t.is('{')) operand = { kind: 'binary', operator: '+', left: operand, right: primary(t) }
    else return operand
  }
}

function call(t: Cursor, fn: Node): Node {
  t.next()
  const args = t.list(')', () => {
    if (t.peek().kind === 'name' && t.is('=', 1)) {
      const name = t.name()
      t.expect('=')
      return { name, value: expression(t) }
    }
    return { value: expression(t) }
  })
  t.accept('tailstrict')
  return { kind: 'call', fn, args }
}

function bracket(t: Cursor, operand: Node): Node {
  const bounds: (Node | undefined)[] = []
  let colons = 0
  while (!t.accept(']')) {
    if (t.accept('::')) colons += 2
    else if (t.accept(':')) colons += 1
    else bounds[colons] = expression(t)
  }
  if (colons > 0) return { kind: 'slice', operand, bounds }
  const [index] = bounds
  return index ? { kind: 'index', operand, index } : t.fail()
}

function primary(t: Cursor): Node {
  const token = t.next()
  if (token.kind === 'number') return { kind: 'literal', value: Number(token.text) }
  if (token.kind === 'string') return { kind: 'literal', value: token.text }
  if (token.kind === 'name') return word(t, token.text)
  switch (token.text) {
    case '$':
      return { kind: 'name', name: '$' }
    case '(': {
      const inner = expression(t)
      t.expect(')')
      return inner
    }
    case '[':
      return array(t)
    case '{':
      return object(t)
    default:
      return t.fail(-1)
  }
}

function word(t: Cursor, text: string): Node {
  if (text === 'true' || text === 'false') return { kind: 'literal', value: text === 'true' }
  if (text === 'null') return NULL
  if (text === 'self') return { kind: 'self' }
  if (text === 'super') {
    if (t.accept('.')) return { kind: 'super', index: { kind: 'literal', value: t.name() } }
    t.expect('[')
    const index = expression(t)
    t.expect(']')
    return { kind: 'super', index }
  }
  if (text.startsWith('import')) throw new JsonnetError(`${text} is not available (line ${t.peek().line})`)
  if (!isKeyword(text)) return { kind: 'name', name: text }
  return t.fail(-1)
}

function array(t: Cursor): Node {
  if (t.accept(']')) return { kind: 'array', items: [] }
  const first = expression(t)
  const more = t.accept(',')
  if (t.is('for')) {
    const clauses = comprehension(t)
    t.expect(']')
    return { kind: 'array for', item: first, clauses }
  }
  if (!more) {
    t.expect(']')
    return { kind: 'array', items: [first] }
  }
  return { kind: 'array', items: [first, ...t.list(']', expression)] }
}

function comprehension(t: Cursor): Clause[] {
  const clauses: Clause[] = []
  for (;;) {
    if (t.accept('for')) {
      const name = t.name()
      t.expect('in')
      clauses.push({ kind: 'for', name, list: expression(t) })
    } else if (t.accept('if')) clauses.push({ kind: 'if', test: expression(t) })
    else return clauses
  }
}

function object(t: Cursor): Node {
  const parts = { fields: [] as FieldNode[], locals: [] as Bind[], asserts: [] as Assertion[] }
  while (!t.accept('}')) {
    if (t.is('for')) {
      const clauses = comprehension(t)
      t.expect('}')
      return { kind: 'object for', object: { kind: 'object', ...parts }, clauses }
    }
    if (t.accept('local')) parts.locals.push(bind(t))
    else if (t.accept('assert')) parts.asserts.push(readAssertion(t))
    else parts.fields.push(field(t))
    if (!t.accept(',') && !t.is('}') && !t.is('for')) t.fail()
  }
  return { kind: 'object', ...parts }
}

function field(t: Cursor): FieldNode {
  const name = fieldName(t)
  const params = t.is('(') ? parameters(t) : undefined
  const isPlus = t.accept('+')
  const { text } = t.next()
  const visibility = VISIBILITIES[text] ?? t.fail()
  const value = expression(t)
  return { name, isPlus, visibility, value: params ? { kind: 'function', params, body: value } : value }
}

function fieldName(t: Cursor): Node {
  if (t.accept('[')) {
    const inner = expression(t)
    t.expect(']')
    return inner
  }
  if (t.peek().kind === 'string') return { kind: 'literal', value: t.next().text }
  return { kind: 'literal', value: t.name() }
}

const VISIBILITIES: Readonly<Record<string, Visibility>> = {
  ':': 'inherited',
  '::': 'hidden',
  ':::': 'visible',
}
