import type { Node, Parsed, Slot } from './parse.ts'
import { TemplateError } from './template-error.ts'

/** A position in HTML: in text, in a tag, in an attribute value, or in a script, a style or a comment. */
interface Place {
  readonly kind: 'text' | 'tag' | 'value' | 'opaque'
  /** Empty for a comment. */
  readonly element: string
  readonly attribute: string
  /** Empty for an unquoted value. */
  readonly quote: string
  /** The value so far; an output counts as one character. */
  readonly value: string
}

const TEXT: Place = { kind: 'text', element: '', attribute: '', quote: '', value: '' }
const URLS = /^(href|src|action|formaction|cite|poster|background|longdesc|xlink:href|data)$/
/** Attributes whose values are not text: scripts and styles need other escapes. */
const FORBIDDEN = /^(on.*|style|srcdoc|srcset|ping|manifest)$/
const OPAQUE = /^(script|style|xmp|iframe|noembed|noframes|noscript|plaintext)$/

/**
 * Determines how each output of an HTML template must be escaped, as Go's `html/template` does, in text and quoted
 * attributes. Throws `TemplateError` for an output anywhere else.
 */
export function markHtmlContexts({ main, named }: Parsed): void {
  for (const nodes of [main, ...named.values()]) {
    if (walk(nodes, TEXT).kind !== 'text') throw new TemplateError('a tag is not closed', 1)
  }
}

function walk(nodes: readonly Node[], start: Place): Place {
  return nodes.reduce((place, node) => {
    switch (node.kind) {
      case 'text':
        return advance(node.text, place)
      case 'output':
        if (node.pipeline.variables.length === 0) node.slot.escape = escapeAt(place, node.line)
        return withOutput(place)
      case 'call':
        if (place.kind === 'text') return place
        throw new TemplateError('{{template}} is allowed in text only', node.line)
      default:
        return walkBlock(node, place)
    }
  }, start)
}

/** If a URL begins with one output, the following outputs are not its beginning. */
function withOutput(place: Place): Place {
  return place.kind === 'value' ? { ...place, value: `${place.value}x` } : place
}

function walkBlock(node: Extract<Node, { kind: 'if' | 'with' | 'range' }>, place: Place): Place {
  const then = walk(node.body.then, place)
  const otherwise = walk(node.body.otherwise, place)
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

function escapeAt({ kind, element, attribute, quote, value }: Place, line: number): Slot['escape'] {
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

/** Scans HTML as far as tags, attributes and their quotes. */
function advance(text: string, start: Place): Place {
  let place = start
  for (let rest = text; rest !== ''; ) {
    const [next, length] = step(rest, place)
    place = next
    rest = rest.slice(length)
  }
  return place
}

function step(rest: string, place: Place): [Place, number] {
  switch (place.kind) {
    case 'text':
      return stepInText(rest)
    case 'opaque':
      return stepInOpaque(rest, place)
    case 'tag':
      return stepInTag(rest, place)
    case 'value':
      return stepInValue(rest, place)
  }
}

function stepInText(rest: string): [Place, number] {
  const at = rest.search(/<(!--|\/?[a-z])/i)
  if (at < 0) return [TEXT, rest.length]
  if (rest.startsWith('<!--', at)) return [{ ...TEXT, kind: 'opaque' }, at + 4]
  const [tag = '', slash, name = ''] = /^<(\/?)([a-z][^\s/>]*)/i.exec(rest.slice(at)) ?? []
  return [{ ...TEXT, kind: 'tag', element: slash === '' ? name.toLowerCase() : '' }, at + tag.length]
}

function stepInOpaque(rest: string, place: Place): [Place, number] {
  const end = place.element === '' ? /-->/ : new RegExp(`</${place.element}[^>]*>`, 'i')
  const found = end.exec(rest)
  return found ? [TEXT, found.index + found[0].length] : [place, rest.length]
}

function stepInTag(rest: string, place: Place): [Place, number] {
  if (rest.startsWith('>')) {
    return [OPAQUE.test(place.element) ? { ...TEXT, kind: 'opaque', element: place.element } : TEXT, 1]
  }
  const [equals, quote] = /^=\s*(["']?)/.exec(rest) ?? []
  if (equals !== undefined && quote !== undefined) {
    return [{ ...place, kind: 'value', quote, value: '' }, equals.length]
  }
  const [attribute] = /^[^\s=>/"']+/.exec(rest) ?? []
  return attribute === undefined
    ? [place, 1]
    : [{ ...place, attribute: attribute.toLowerCase() }, attribute.length]
}

function stepInValue(rest: string, place: Place): [Place, number] {
  const end = place.quote === '' ? rest.search(/[\s>]/) : rest.indexOf(place.quote)
  if (end < 0) return [{ ...place, value: place.value + rest }, rest.length]
  const tag: Place = { ...TEXT, kind: 'tag', element: place.element }
  return [tag, end + place.quote.length]
}
