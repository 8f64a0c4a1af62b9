/** Whether a value is an object with members: neither null nor a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A copy of `below` with the members of `above` over it, at every depth. Lists are replaced. */
export function merge(below: object, above: object): object {
  const result: Record<string, unknown> = { ...below }
  for (const [name, value] of Object.entries(above)) {
    const known = result[name]
    result[name] = isObject(known) && isObject(value) ? merge(known, value) : value
  }
  return result
}
