import type { Node, Parsed, Slot } from './parse.ts'
import { TemplateError } from './tokens.ts'

/** In text, a tag, an attribute value, a script, a style or a comment. */
interface HtmlPosition {
  readonly kind: 'text' | 'tag' | 'value' | 'opaque'
  /** Empty for a comment. */
  readonly element: string
  readonly attribute: string
  /** Empty for an unquoted value. */
  readonly quote: string
  readonly value: string
}

const TEXT: HtmlPosition = { kind: 'text', element: '', attribute: '', quote: '', value: '' }
const URLS = /^(href|src|action|formaction|cite|poster|background|longdesc|xlink:href|data)$/
/** Scripts, styles or lists, which need other escapes. */
const FORBIDDEN = /^(on.*|style|srcdoc|srcset|ping|manifest)$/
const OPAQUE = /^(script|style|xmp|iframe|noembed|noframes|noscript|plaintext)$/

/**
 * As Go's `html/template` does, in text and quoted attributes. Throws `TemplateError` for an output
 * anywhere else.
 */
export function markHtmlContexts({ main, templates: named }: Parsed): void {
  for (const nodes of [main, ...named.values()]) {
    if (walk(nodes, TEXT).kind !== 'text') throw new TemplateError('a tag is not closed', 1)
  }
}

function walk(nodes: readonly Node[], start: HtmlPosition): HtmlPosition {
  return nodes.reduce((position, node) => {
    switch (node.kind) {
      case 'text':
        return advance(node.text, position)
      case 'output':
        if (node.pipeline.variables.length === 0) node.slot.escape = escapeAt(position, node.line)
        return withOutput(position)
      case 'call':
        if (position.kind === 'text') return position
        throw new TemplateError('{{template}} is allowed in text only', node.line)
      default:
        return walkBlock(node, position)
    }
  }, start)
}

/** Counts as one character, so that the next output does not begin a URL. */
function withOutput(position: HtmlPosition): HtmlPosition {
  return position.kind === 'value' ? { ...position, value: `${position.value}x` } : position
}

function walkBlock(
  node: Extract<Node, { kind: 'if' | 'with' | 'range' }>,
  position: HtmlPosition,
): HtmlPosition {
  const then = walk(node.body.then, position)
  const otherwise = walk(node.body.otherwise, position)
  const isSame = (['kind', 'element', 'attribute', 'quote'] as const).every(
    (part) => then[part] === otherwise[part],
  )
  if (!isSame)
    throw new TemplateError(
      `the branches of {{${node.kind}}} end in different HTML contexts`,
      node.pipeline.line,
    )
  return then
}

function escapeAt({ kind, element, attribute, quote, value }: HtmlPosition, line: number): Slot['escape'] {
  if (kind === 'text') return 'text'
  if (kind !== 'value' || quote === '') {
    const where = kind === 'opaque' ? `<${element || '!--'}>` : 'a tag outside of quotes'
    throw new TemplateError(`no value is allowed in ${where}: put it in text or a quoted attribute`, line)
  }
  if (FORBIDDEN.test(attribute))
    throw new TemplateError(`no value is allowed in the attribute ${attribute}`, line)
  if (!URLS.test(attribute)) return 'text'
  if (value.trim() === '') return 'url'
  return /[?#]/.test(value) ? 'query' : 'url-part'
}

/** As far as tags, attributes and their quotes. */
function advance(text: string, start: HtmlPosition): HtmlPosition {
  let position = start
  for (let rest = text; rest !== ''; ) {
    const [next, length] = step(rest, position)
    position = next
    rest = rest.slice(length)
  }
  return position
}

function step(rest: string, position: HtmlPosition): [HtmlPosition, number] {
  switch (position.kind) {
    case 'text':
      return stepInText(rest)
    case 'opaque':
      return stepInOpaque(rest, position)
    case 'tag':
      return stepInTag(rest, position)
    case 'value':
      return stepInValue(rest, position)
  }
}

function stepInText(rest: string): [HtmlPosition, number] {
  const at = rest.search(/<(!--|\/?[a-z])/i)
  if (at < 0) return [TEXT, rest.length]
  if (rest.startsWith('<!--', at)) return [{ ...TEXT, kind: 'opaque' }, at + 4]
  const [tag = '', slash, name = ''] = /^<(\/?)([a-z][^\s/>]*)/i.exec(rest.slice(at)) ?? []
  return [{ ...TEXT, kind: 'tag', element: slash === '' ? name.toLowerCase() : '' }, at + tag.length]
}

function stepInOpaque(rest: string, position: HtmlPosition): [HtmlPosition, number] {
  const end = position.element === '' ? /-->/ : new RegExp(`</${position.element}[^>]*>`, 'i')
  const match = end.exec(rest)
  return match ? [TEXT, match.index + match[0].length] : [position, rest.length]
}

function stepInTag(rest: string, position: HtmlPosition): [HtmlPosition, number] {
  if (rest.startsWith('>')) {
    return [OPAQUE.test(position.element) ? { ...TEXT, kind: 'opaque', element: position.element } : TEXT, 1]
  }
  const [equals, quote] = /^=\s*(["']?)/.exec(rest) ?? []
  if (equals !== undefined && quote !== undefined) {
    return [{ ...position, kind: 'value', quote, value: '' }, equals.length]
  }
  const [attribute] = /^[^\s=>/"']+/.exec(rest) ?? []
  return attribute === undefined
    ? [position, 1]
    : [{ ...position, attribute: attribute.toLowerCase() }, attribute.length]
}

function stepInValue(rest: string, position: HtmlPosition): [HtmlPosition, number] {
  const end = position.quote === '' ? rest.search(/[\s>]/) : rest.indexOf(position.quote)
  if (end < 0) return [{ ...position, value: position.value + rest }, rest.length]
  const tag: HtmlPosition = { ...TEXT, kind: 'tag', element: position.element }
  return [tag, end + position.quote.length]
}
