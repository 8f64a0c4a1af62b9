export interface Figure {
  readonly name: string
  readonly unit: '1/s' | 'ms' | 'MB' | 'kB' | '%'
  readonly value: number
  /** The best on this machine, in the same run. */
  readonly limit?: number
  readonly goal?: Goal
  /** On two cores shared with the load generator, with equal hash cost. */
  readonly kratos?: string
  readonly better_auth?: string
  /** About the run; not compared. */
  readonly aside?: boolean
  /** Set for an earlier run. */
  readonly measured_at?: string
}

/** Minimum share of the limit, or maximum value. */
export type Goal = { readonly share: number } | { readonly at_most: number }

export interface Scenario {
  readonly name: string
  /** Runs by name only. */
  readonly onlyByName?: boolean
  measure(): Promise<readonly Figure[]>
}

export function reachesGoal({ value, limit, goal }: Figure): boolean {
  if (goal === undefined) return true
  if ('at_most' in goal) return value <= goal.at_most
  return limit !== undefined && value / limit >= goal.share
}
