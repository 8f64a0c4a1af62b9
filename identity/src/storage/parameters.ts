/**
 * What both databases store as it is: text, numbers, bytes and null. A Date or another object is refused: SQLite would
 * take it for a bag of named parameters and shift the columns silently, PostgreSQL would write its JSON.
 */
export type Parameter = string | number | bigint | Uint8Array | null

export function assertParameters(values: readonly unknown[]): asserts values is readonly Parameter[] {
  for (const value of values) {
    const plain = value === null || typeof value !== 'object' || value instanceof Uint8Array
    if (!plain || value === undefined || typeof value === 'boolean') {
      throw new TypeError(`storage cannot bind ${typeof value === 'object' ? 'an object' : typeof value}`)
    }
  }
}
