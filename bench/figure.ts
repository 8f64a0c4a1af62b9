/** One measured number. */
export interface Figure {
  readonly name: string
  readonly unit: '1/s' | 'ms' | 'MB' | 'kB' | '%'
  readonly value: number
  /** The best that the same machine can do, measured in the same run. */
  readonly limit?: number
  readonly goal?: Goal
  /** Other products, on two cores with the load generator on the same ones and equal hash cost. */
  readonly kratos?: string
  readonly better_auth?: string
  /** Not compared with earlier results: it describes the run. */
  readonly aside?: boolean
  /** Set if it is of an earlier run than the others. */
  readonly measured_at?: string
}

/** A share of the limit that must be reached, or a value that must not be exceeded. */
export type Goal = { readonly share: number } | { readonly at_most: number }

export interface Scenario {
  readonly name: string
  /** Not part of a run of everything. */
  readonly onlyByName?: boolean
  measure(): Promise<readonly Figure[]>
}

export function reachesGoal({ value, limit, goal }: Figure): boolean {
  if (goal === undefined) return true
  if ('at_most' in goal) return value <= goal.at_most
  return limit !== undefined && value / limit >= goal.share
}
