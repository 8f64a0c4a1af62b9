const secretName =
  /password|passkey|webauthn|secret|lookup|^(totp_|init_|return_to_)?code$|^totp_qr$|token|^nonce$|^verifier$/i
const secretParameter =
  /([?&#](?:(?:init_|return_to_)?code|token|state|nonce|id_token_hint|login_challenge)=)[^&#\s"]*/g

/** The placeholder is a shell variable, so that a copied command works once it is set. */
function placeholder(name: string): string {
  return `$${name.replaceAll(/\W+/g, '_').toUpperCase()}`
}

/** Replaces the secrets in JSON from the wire. */
export function maskJson(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => maskJson(item, name))
  if (typeof value === 'object' && value !== null) return maskObject(value as Record<string, unknown>)
  // Not an error's `code`, which is a status.
  if (typeof value === 'number' && value > 999 && secretName.test(name)) return placeholder(name)
  if (typeof value !== 'string' || value === '') return value
  // The claims stay readable, but no backend accepts the token.
  if (name === 'tokenized') return value.replace(/[^.]*$/, '$$SIGNATURE')
  return secretName.test(name) ? placeholder(name) : maskUrl(value)
}

export function maskUrl(text: string): string {
  return text.replaceAll(secretParameter, (_, start: string) => start + placeholder(start.slice(1, -1)))
}

export function maskForm(text: string): Record<string, unknown> {
  return maskJson(Object.fromEntries(new URLSearchParams(text))) as Record<string, unknown>
}

function maskObject(object: Record<string, unknown>): Record<string, unknown> {
  const { attributes } = object as { attributes?: NodeAttributes }
  const named = attributes?.name ?? attributes?.id ?? ''
  const ofNode = attributes && secretName.test(named) ? maskAttributes(attributes, named) : undefined
  const entries = Object.entries(ofNode ? { ...object, attributes: ofNode } : object)
  return Object.fromEntries(entries.map(([key, value]) => [key, maskJson(value, key)]))
}

interface NodeAttributes extends Record<string, unknown> {
  readonly name?: string
  readonly id?: string
}

function maskAttributes(attributes: NodeAttributes, name: string): NodeAttributes {
  const contents = ['src', 'text', 'onclick', ...(attributes.type === 'submit' ? [] : ['value'])]
  const hidden = contents.filter((content) => attributes[content] !== undefined)
  return { ...attributes, ...Object.fromEntries(hidden.map((content) => [content, placeholder(name)])) }
}
