/** What one runner did. */
export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export const nothing: Tally = { passed: 0, failed: 0, skipped: 0 }

export function add(a: Tally, b: Tally): Tally {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }
}

/**
 * A runner that counted no failure and yet ended badly, or that ran nothing, must not look like a success:
 * it counts as one failure.
 */
export function honest(name: string, tally: Tally, exitCode: number): Tally {
  if (tally.failed > 0) return tally
  if (exitCode === 0 && tally.passed > 0) return tally
  console.error(exitCode === 0 ? `${name}: no test ran.` : `${name}: ended with exit code ${exitCode}.`)
  return { ...tally, failed: 1 }
}
