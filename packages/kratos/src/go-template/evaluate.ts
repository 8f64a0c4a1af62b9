import { escapeHtml, functions, isTrue, print, type Value } from './functions.ts'
import { markHtmlContexts } from './html-context.ts'
import type { Body, Node, Operand, Parsed, Pipeline, Slot } from './parse.ts'
import { parseTemplate } from './parse.ts'
import { TemplateError } from './tokens.ts'

const LIMITS = { calls: 50, steps: 20_000, output: 512 * 1024 }

interface Run {
  readonly templates: Parsed['templates']
  /** An unknown member is an error. */
  readonly root: object
  readonly out: string[]
  size: number
  steps: number
  depth: number
}

/** A block can read and set those of outer blocks. */
interface Scope {
  readonly dot: Value
  readonly variables: Map<string, Value>
  readonly outer?: Scope | undefined
}

/** Throws `TemplateError`. */
export function evaluate({ main, templates }: Parsed, data: object): string {
  const run: Run = { templates, root: data, out: [], size: 0, steps: 0, depth: 0 }
  runNodes(run, main, { dot: data, variables: new Map([['$', data]]) })
  return run.out.join('')
}

function runNodes(run: Run, nodes: readonly Node[], scope: Scope): void {
  for (const node of nodes) runNode(run, node, scope)
}

function runNode(run: Run, node: Node, scope: Scope): void {
  if (node.kind === 'text') write(run, node.text, 0)
  else if (node.kind === 'output') {
    const value = pipelineValue(run, node.pipeline, scope)
    if (node.pipeline.variables.length === 0) write(run, escaped(node.slot, value), node.line)
  } else if (node.kind === 'call') runCall(run, node, scope)
  else runBlock(run, node, scope)
}

function write(run: Run, text: string, line: number): void {
  run.size += text.length
  if (run.size > LIMITS.output) throw new TemplateError('the result is too long', line)
  run.out.push(text)
}

function runBlock(
  run: Run,
  { kind, pipeline, body }: Extract<Node, { kind: 'if' | 'with' | 'range' }>,
  outer: Scope,
): void {
  const scope = inner(outer, outer.dot)
  if (kind === 'range') {
    runRange(run, pipeline, body, scope)
    return
  }
  const value = pipelineValue(run, pipeline, scope)
  if (isTrue(value)) runNodes(run, body.then, kind === 'with' ? inner(scope, value) : scope)
  else runNodes(run, body.otherwise, scope)
}

function runRange(run: Run, { variables, ...pipeline }: Pipeline, body: Body, scope: Scope): void {
  const pipelineResult = pipelineValue(run, { ...pipeline, variables: [] }, scope)
  const entries = entriesOf(pipelineResult)
  spend(run, entries.length / 5, pipeline.line)
  if (entries.length === 0) runNodes(run, body.otherwise, scope)
  for (const [key, value] of entries) {
    const each = inner(scope, value)
    const [first, second] = variables
    if (second !== undefined) each.variables.set(second, value)
    if (first !== undefined) each.variables.set(first, second === undefined ? value : key)
    runNodes(run, body.then, each)
  }
}

function entriesOf(value: Value): [key: Value, value: Value][] {
  if (Array.isArray(value)) return [...value.entries()]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
}

function runCall(run: Run, { name, pipeline, line }: Extract<Node, { kind: 'call' }>, scope: Scope): void {
  const nodes = run.templates.get(name)
  if (!nodes) throw new TemplateError(`unknown template ${JSON.stringify(name)}`, line)
  if (run.depth >= LIMITS.calls) throw new TemplateError('templates call each other too deeply', line)
  const dot = pipeline ? pipelineValue(run, pipeline, scope) : undefined
  run.depth += 1
  runNodes(run, nodes, { dot, variables: new Map([['$', dot]]) })
  run.depth -= 1
}

function inner(above: Scope, dot: Value): Scope {
  return { dot, variables: new Map(), outer: above }
}

function pipelineValue(run: Run, { variables, declares, commands, line }: Pipeline, scope: Scope): Value {
  spend(run, 1, line)
  let value: Value
  for (const [at, command] of commands.entries()) {
    value = commandValue(run, command, scope, { piped: at === 0 ? [] : [value], line })
    spend(run, costOf(value), line)
  }
  for (const name of variables) {
    const holder = declares ? scope : holderOf(scope, name, line)
    holder.variables.set(name, value)
  }
  return value
}

function spend(run: Run, steps: number, line: number): void {
  run.steps += steps
  if (run.steps > LIMITS.steps) throw new TemplateError('the template takes too long', line)
}

/** The time to read a value, in steps. Listing the members of an object is slow. */
function costOf(value: Value): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length / 20
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0
}

function commandValue(
  run: Run,
  [first, ...rest]: readonly Operand[],
  scope: Scope,
  { piped, line }: { readonly piped: readonly Value[]; readonly line: number },
): Value {
  if (!first) throw new TemplateError('a value is missing', line)
  if (first.kind === 'function') {
    const call = functions.get(first.name)
    if (!call) throw new TemplateError(`unknown function ${first.name}`, line)
    const values = rest.map((operand) => operandValue(run, operand, scope, line))
    for (const value of values) spend(run, costOf(value), line)
    return fieldsOf(run, call(...values, ...piped), first.fields, line)
  }
  if (rest.length + piped.length > 0) throw new TemplateError('only a function takes arguments', line)
  return operandValue(run, first, scope, line)
}

function operandValue(run: Run, operand: Operand, scope: Scope, line: number): Value {
  switch (operand.kind) {
    case 'literal':
      return operand.value
    case 'dot':
      return fieldsOf(run, scope.dot, operand.fields, line)
    case 'variable':
      return fieldsOf(
        run,
        holderOf(scope, operand.name, line).variables.get(operand.name),
        operand.fields,
        line,
      )
    case 'function':
      return commandValue(run, [operand], scope, { piped: [], line })
    case 'pipeline':
      return fieldsOf(run, pipelineValue(run, operand.pipeline, scope), operand.fields, line)
  }
}

function holderOf(scope: Scope, name: string, line: number): Scope {
  for (let holder: Scope | undefined = scope; holder; holder = holder.outer) {
    if (holder.variables.has(name)) return holder
  }
  throw new TemplateError(`${name} is not declared`, line)
}

function fieldsOf(run: Run, value: Value, fields: readonly string[], line: number): Value {
  return fields.reduce<Value>((member, name) => {
    if (typeof member === 'object' && member !== null && Object.hasOwn(member, name)) {
      return (member as Readonly<Record<string, Value>>)[name]
    }
    if (member === run.root)
      throw new TemplateError(
        `unknown field .${name}, expected one of: ${Object.keys(run.root).join(', ')}`,
        line,
      )
    return undefined
  }, value)
}

function escaped({ escape: how }: Slot, value: Value): string {
  const text = value === undefined || value === null ? '' : print(value)
  switch (how) {
    case 'none':
      return print(value)
    case 'text':
      return escapeHtml(text)
    case 'url':
      return escapeHtml(isSafeUrl(text) ? normalisedUrl(text) : '#')
    case 'url-part':
      return escapeHtml(normalisedUrl(text))
    case 'query':
      return escapeHtml(encodeURIComponent(text.toWellFormed()))
  }
}

/** Or with a scheme that runs no script. */
function isSafeUrl(url: string): boolean {
  const scheme = /^([^/?#]*):/.exec(url.trim())?.[1]
  return scheme === undefined || /^(https?|mailto|tel)$/i.test(scheme)
}

/** Keeps existing percent-encoding. */
function normalisedUrl(url: string): string {
  return encodeURI(url.toWellFormed())
    .replaceAll('%25', '%')
    .replace(/['()]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)
}

/**
 * Go's `text/template` or `html/template` with the functions of `functions.ts`. Not supported:
 * methods, `break`, `continue`, dates, and in HTML values in scripts, styles, comments and unquoted
 * attributes. Throws `TemplateError`.
 */
export function compileGoTemplate(source: string, as: 'text' | 'html'): (data: object) => string {
  const parsed = parseTemplate(source)
  if (as === 'html') markHtmlContexts(parsed)
  return (data) => evaluate(parsed, data)
}
