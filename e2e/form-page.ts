import { createHash, randomUUID } from 'node:crypto'

/** A flow as it comes over the wire, as far as a page needs it. */
export interface WireFlow {
  readonly ui: {
    readonly action: string
    readonly method: string
    readonly messages?: readonly Message[]
    readonly nodes: readonly Node[]
  }
}

interface Message {
  readonly text: string
}

type Attributes = Readonly<Record<string, unknown>>

interface Node {
  readonly type: string
  readonly group: string
  readonly attributes: Attributes
  readonly messages: readonly Message[]
  readonly meta: { readonly label?: Message }
}

/** How a page reaches the functions of a form's script: by the code that its nodes bring, or by the names. */
export type Wiring = 'code' | 'names'

/** A page, and the Content Security Policy under which it works. */
export interface Page {
  readonly html: string
  readonly policy: string
}

/**
 * A flow as a page that knows nothing of its methods: one form for all nodes, and one for each group in settings.
 * The policy names the nonces of the script nodes. Code in attributes is allowed piece by piece, which takes
 * `unsafe-hashes` but not `unsafe-inline`; a page that calls functions by their names needs neither.
 */
export function formPage(heading: string, { ui }: WireFlow, wiring: Wiring): Page {
  const groups = new Set(heading === 'settings' ? ui.nodes.map(({ group }) => group) : ['all'])
  groups.delete('default')
  const forms = [...groups].map((group) => {
    const inputs = ui.nodes.filter(({ type }) => type === 'input')
    const own = inputs.filter((node) => group === 'all' || [group, 'default'].includes(node.group))
    const { action, method } = ui
    return element('form', { action, method }, own.map((node) => drawInput(node, wiring)).join('\n'))
  })
  const scripts = ui.nodes.filter(({ type }) => type === 'script').map(({ attributes }) => attributes)
  const nonce = randomUUID()
  const callers = wiring === 'names' ? [element('script', { nonce }, CALL_BY_NAME)] : []
  const codes = ui.nodes.flatMap(({ attributes }) => [attributes.onclick, attributes.onload])
  const allowed = wiring === 'code' ? codes.filter((code) => typeof code === 'string') : []
  const onload = ui.nodes.map(({ attributes }) => attributes.onload).find(Boolean)
  const body = [
    ...(ui.messages ?? []).map(drawMessage),
    ...forms,
    ...scripts.map(({ node_type: _, ...attributes }) => element('script', attributes)),
    ...callers,
  ]
  return {
    // A field never loads, the page does.
    html: page(heading, body.join('\n'), wiring === 'code' ? { onload } : {}),
    policy: policyFor([nonce, ...scripts.map((script) => String(script.nonce))], allowed, ui.action),
  }
}

/** A page without a form. */
export function plainPage(heading: string, lines: readonly string[], links: readonly string[]): Page {
  const body = [
    ...lines.map((line) => element('p', {}, escaped(line))),
    ...links.map((path) => element('a', { href: `/${path}` }, path)),
  ]
  return { html: page(heading, body.join('\n')), policy: policyFor([], []) }
}

function page(heading: string, body: string, attributes: Attributes = {}): string {
  const title = escaped(heading)
  const inside = `<h1>${title}</h1>\n${body}`
  return `<!doctype html>\n<html lang="en"><title>${title}</title>${element('body', attributes, inside)}</html>`
}

function policyFor(nonces: readonly string[], codes: readonly string[], action = ''): string {
  const hashes = codes.map((code) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`)
  const scripts = [
    ...nonces.map((nonce) => `'nonce-${nonce}'`),
    ...(hashes.length > 0 ? ["'unsafe-hashes'", ...hashes] : []),
  ]
  return [
    "default-src 'none'",
    `script-src ${scripts.join(' ') || "'none'"}`,
    `form-action ${action === '' ? "'none'" : `${new URL(action).origin} 'self'`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function drawMessage({ text }: Message): string {
  return element('p', { role: 'alert' }, escaped(text))
}

function drawInput({ attributes, messages, meta }: Node, wiring: Wiring): string {
  const { node_type: _, label: __, onclick, onclickTrigger, onload: ___, onloadTrigger, ...rest } = attributes
  const calls =
    wiring === 'code' ? { onclick } : { 'data-onclick': onclickTrigger, 'data-onload': onloadTrigger }
  const label = escaped(meta.label?.text ?? '')
  const said = messages.map(drawMessage).join('')
  const all = { ...rest, ...calls }
  if (rest.type === 'submit' || rest.type === 'button') return element('button', all, label) + said
  if (rest.type === 'hidden') return tag('input', all) + said
  return element('label', {}, `${label} ${tag('input', all)}`) + said
}

/** What pages with a script of their own do: functions are there once the form's script has said so. */
const CALL_BY_NAME = `
for (const button of document.querySelectorAll('[data-onclick]')) {
  button.addEventListener('click', () => window[button.dataset.onclick]())
}
const load = () => {
  for (const field of document.querySelectorAll('[data-onload]')) window[field.dataset.onload]()
}
if (window.__oryWebAuthnInitialized) load()
else window.addEventListener('oryWebAuthnInitialized', load, { once: true })
`

function element(name: string, attributes: Attributes, inside = ''): string {
  return `${tag(name, attributes)}${inside}</${name}>`
}

function tag(name: string, attributes: Attributes): string {
  const list = Object.entries(attributes).map(([key, value]) => {
    if (value === undefined || value === false) return ''
    return value === true ? ` ${key}` : ` ${key}="${escaped(String(value))}"`
  })
  return `<${name}${list.join('')}>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
