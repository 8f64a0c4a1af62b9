/** What JSON may hold. Code that walks it recursively, ours and the libraries', runs out of stack on deeper values. */
interface Shape {
  readonly depth: number
  /** Members and items, at all depths. */
  readonly values: number
}

/** Which bound a parsed value breaks. Walks without recursion, and no further than the bounds. */
export function brokenBound(value: unknown, { depth, values }: Shape): keyof Shape | undefined {
  const rest: { readonly value: unknown; readonly level: number }[] = [{ value, level: 0 }]
  let seen = 0
  for (let next = rest.pop(); next; next = rest.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue
    if (next.level >= depth) return 'depth'
    const inner = Object.values(next.value)
    seen += inner.length
    if (seen > values) return 'values'
    for (const one of inner) rest.push({ value: one, level: next.level + 1 })
  }
  return undefined
}
