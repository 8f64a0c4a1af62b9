import { createHash, randomUUID } from 'node:crypto'

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

/** A form's script is called by the code in its nodes, or by name. */
export type Wiring = 'code' | 'names'

export interface Page {
  readonly html: string
  readonly policy: string
}

/**
 * Renders any method: one form, or one per group. The policy has the script nodes' nonces, and
 * hashes for code in attributes, which needs `unsafe-hashes` but not `unsafe-inline`. A page that
 * calls by name needs neither.
 */
export function formPage(heading: string, { ui }: WireFlow, wiring: Wiring, byGroup: boolean): Page {
  const attributes = ui.nodes.map((node) => node.attributes)
  const scripts = attributes.filter(({ node_type }) => node_type === 'script')
  const codes = attributes.flatMap(({ onclick, onload }) => [onclick, onload].filter(isText))
  const nonceAttribute = { nonce: randomUUID() }
  const body = [
    ...(ui.messages ?? []).map(drawMessage),
    ...ui.nodes.flatMap(({ attributes }) => drawText(attributes)),
    ...drawForms({ ui }, wiring, byGroup),
    ...scripts.map(({ node_type: _, ...script }) => element('script', script)),
    wiring === 'names' ? element('script', nonceAttribute, CALL_BY_NAME) : '',
  ]
  // The load event fires on the page.
  const onload = wiring === 'code' ? attributes.map((node) => node.onload).find(isText) : undefined
  return {
    html: page(heading, body.join('\n'), { onload }),
    policy: policyFor({
      nonces: [nonceAttribute, ...scripts].map(({ nonce }) => String(nonce)),
      codes: wiring === 'code' ? codes : [],
      action: new URL(ui.action).origin,
    }),
  }
}

export function plainPage(heading: string, lines: readonly string[], links: readonly string[]): Page {
  const body = [
    ...lines.map((line) => element('p', {}, escaped(line))),
    ...links.map((path) => element('a', { href: `/${path}` }, path)),
  ]
  return { html: page(heading, body.join('\n')), policy: policyFor({}) }
}

function page(heading: string, body: string, attributes: Attributes = {}): string {
  const title = escaped(heading)
  const inside = `<h1>${title}</h1>\n${body}`
  return `<!doctype html>\n<html lang="en"><title>${title}</title>${element('body', attributes, inside)}</html>`
}

interface Allowed {
  readonly nonces?: readonly string[]
  readonly codes?: readonly string[]
  readonly action?: string
}

function policyFor({ nonces = [], codes = [], action = '' }: Allowed): string {
  const hashes = codes.map((code) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`)
  const scripts = [
    ...nonces.map((nonce) => `'nonce-${nonce}'`),
    ...(hashes.length > 0 ? ["'unsafe-hashes'", ...hashes] : []),
  ]
  return [
    "default-src 'none'",
    `script-src ${scripts.join(' ') || "'none'"}`,
    `form-action 'self' ${action}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

function drawForms({ ui: { nodes, action, method } }: WireFlow, wiring: Wiring, byGroup: boolean): string[] {
  const inputs = nodes.filter(({ type }) => type === 'input')
  // Each method needs other fields.
  const form = { action, method, novalidate: true }
  const draw = (own: readonly Node[]) =>
    element('form', form, own.map((node) => drawInput(node, wiring)).join('\n'))
  if (!byGroup) return [draw(inputs)]
  const groups = new Set(inputs.map(({ group }) => group).filter((group) => group !== 'default'))
  return [...groups].map((name) => draw(inputs.filter(({ group }) => ['default', name].includes(group))))
}

function drawMessage({ text }: Message): string {
  return element('p', { role: 'alert' }, escaped(text))
}

/** One secret, or a list. */
function drawText({ node_type, id, text }: Attributes): string[] {
  if (node_type !== 'text') return []
  const { text: all, context } = text as Message & { context?: { secrets?: readonly Message[] } }
  const lines = context?.secrets?.map((secret) => secret.text) ?? [all]
  return [element('ul', { id }, lines.map((line) => element('li', {}, escaped(line))).join(''))]
}

function drawInput({ attributes, messages, meta }: Node, wiring: Wiring): string {
  const { node_type: _, label: __, onclick, onclickTrigger, onload: ___, onloadTrigger, ...rest } = attributes
  const calls =
    wiring === 'code' ? { onclick } : { 'data-onclick': onclickTrigger, 'data-onload': onloadTrigger }
  const label = escaped(meta.label?.text ?? '')
  const messageTexts = messages.map(drawMessage).join('')
  const all = { ...rest, ...calls }
  if (rest.type === 'submit' || rest.type === 'button') return element('button', all, label) + messageTexts
  if (rest.type === 'hidden') return tag('input', all) + messageTexts
  return element('label', {}, `${label} ${tag('input', all)}`) + messageTexts
}

/** The functions exist once the form's script has announced it. */
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

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
