export interface Figure {
  readonly name: string
  readonly unit: '1/s' | 'ms' | 'MB' | '%'
  readonly value: number
  /** The best on this machine, in the same run. */
  readonly limit?: number
  readonly goal?: Goal
  /** On two cores shared with the load generator, with equal hash cost. */
  readonly kratos?: string
  readonly better_auth?: string
  readonly aside?: boolean
  readonly measured_at?: string
}

type Goal = { readonly share: number } | { readonly at_most: number }

export interface Scenario {
  readonly name: string
  readonly onlyByName?: boolean
  measure(): Promise<readonly Figure[]>
}

export function reachesGoal({ value, limit, goal }: Figure): boolean {
  if (goal === undefined) return true
  if ('at_most' in goal) return value <= goal.at_most
  return limit !== undefined && value / limit >= goal.share
}
