/** One measured number. */
export interface Figure {
  readonly name: string
  readonly unit: '1/s' | 'ms' | 'MB' | 'kB' | '%'
  readonly value: number
  /** The best possible on this machine, measured in the same run. */
  readonly limit?: number
  readonly goal?: Goal
  /** Other products, on two cores shared with the load generator, with equal hash cost. */
  readonly kratos?: string
  readonly better_auth?: string
  /** Describes the run; not compared with earlier results. */
  readonly aside?: boolean
  /** Set for a figure of an earlier run. */
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
