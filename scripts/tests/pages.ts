/** What one runner prints. */
export interface Page {
  write(text: string): void
  /** Nothing follows. */
  end(): void
}

/**
 * Runners work at the same time and are read one after the other: a page waits until those before it have ended.
 * @param names in the order of reading
 */
export function openPages<Name extends string>(
  names: readonly Name[],
  print: (text: string) => void,
): Readonly<Record<Name, Page>> {
  const states = names.map(() => ({ held: '', isOver: false }))
  const printReady = () => {
    for (const state of states) {
      if (state.held !== '') print(state.held)
      state.held = ''
      if (!state.isOver) return
    }
  }
  const pages = states.map((state) => ({
    write(text: string) {
      state.held += text
      printReady()
    },
    end() {
      state.isOver = true
      printReady()
    },
  }))
  return Object.fromEntries(names.map((name, n) => [name, pages[n]])) as Record<Name, Page>
}
