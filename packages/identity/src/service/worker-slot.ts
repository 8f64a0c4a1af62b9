/** This process among the workers of one server. */
export interface Place {
  /** From 1. A worker that takes the place of another has the same number. */
  readonly number: number
  readonly of: number
  /** What the first worker said when it was ready. Undefined for that one itself: it starts alone. */
  readonly told?: unknown
}

/** Not a setting: the primary passes it to the workers. */
const VARIABLE = 'MY_APP_WORKER'

/** Undefined unless this process is a worker. */
export function readPlace(env: NodeJS.ProcessEnv): Place | undefined {
  const text = env[VARIABLE]
  return text === undefined ? undefined : (JSON.parse(text) as Place)
}

export function placeVariable(place: Place): Record<string, string> {
  return { [VARIABLE]: JSON.stringify(place) }
}

/** What this worker gets of `total` things: together the workers have as many, but each at least one. */
export function shareOf(total: number, { number, of }: Pick<Place, 'number' | 'of'>): number {
  return Math.max(1, Math.floor(total / of) + (number <= total % of ? 1 : 0))
}
