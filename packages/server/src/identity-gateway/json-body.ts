import { jsonOrText } from '@ostiary/identity/serving'

const urlPaths = [
  'request_url',
  'return_to',
  'ui.action',
  'ui.nodes.*.attributes.src',
  'ui.nodes.*.attributes.href',
  'logout_url',
  'redirect_browser_to',
  'continue_with.*.redirect_browser_to',
  'continue_with.*.flow.url',
  'error.details.*',
  'error.details.continue_with.*.redirect_browser_to',
  'error.details.continue_with.*.flow.url',
  'identity.schema_url',
  'session.identity.schema_url',
  '*.identity.schema_url',
].map((place) => place.split('.'))

/** Returns the same text if no URL changes or it is not JSON. */
export function rewriteJson(text: string, rewrite: (address: string) => string): string {
  const body = jsonOrText(text)
  const changed = urlPaths.map((steps) => rewriteAt(body, steps, rewrite))
  return changed.includes(true) ? JSON.stringify(body) : text
}

function rewriteAt(
  node: unknown,
  [step, ...deeperSteps]: readonly string[],
  rewrite: (address: string) => string,
): boolean {
  if (!isObject(node) || step === undefined) return false
  const names = step === '*' ? Object.keys(node) : Object.hasOwn(node, step) ? [step] : []
  const changed = names.map((name) => {
    const value = node[name]
    if (deeperSteps.length > 0) return rewriteAt(value, deeperSteps, rewrite)
    const address = typeof value === 'string' ? rewrite(value) : value
    node[name] = address
    return address !== value
  })
  return changed.includes(true)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
