export interface Recent<Made> {
  /**
   * Reuses the value of an equal text, because parsing takes longer than reading. Compares the whole text, so
   * no change is missed.
   */
  reuse(key: string, text: string | undefined, make: (text: string) => Made): Made | undefined
}

/** @param most values to keep; the least recently used is dropped */
export function createRecent<Made>(most: number): Recent<Made> {
  const kept = new Map<string, { readonly text: string; readonly made: Made }>()
  return {
    reuse(key, text, make) {
      const known = kept.get(key)
      kept.delete(key)
      // Attackers send unknown keys for free, so these displace nothing.
      if (text === undefined) return undefined
      const entry = known?.text === text ? known : { text, made: make(text) }
      if (kept.size >= most) kept.delete(kept.keys().next().value ?? '')
      kept.set(key, entry)
      return entry.made
    },
  }
}
