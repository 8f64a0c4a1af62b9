export interface Requester {
  readonly client: string
  readonly network: string
}

interface ExpectedHash extends Requester {
  until: number
}

/** Programs submit a form at once; users get no reserved slot. */
const FORM_MS = 1_000

/** The returned functions end an expectation. */
export function createExpectedHashes(clock: () => number) {
  const all = new Set<ExpectedHash>()
  const current = () => {
    const now = clock()
    for (const one of all) if (one.until < now) all.delete(one)
    return [...all]
  }
  const begin = (from: Requester): ExpectedHash => {
    const one = { ...from, until: Number.POSITIVE_INFINITY }
    all.add(one)
    return one
  }
  return {
    current,
    add(from: Requester): () => void {
      const one = begin(from)
      return () => void all.delete(one)
    },
    /** After the response the hash is expected for another second if `remains()`. */
    addForm(from: Requester, remains: () => boolean): () => void {
      const one = begin(from)
      return () => {
        one.until = remains() ? clock() + FORM_MS : 0
      }
    },
    remove(client: string | undefined): void {
      const used = current().find((one) => one.client === client)
      if (used) all.delete(used)
    },
  }
}
