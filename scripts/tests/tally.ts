/** What one runner did. */
export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** Runs the tests whose paths contain `pattern`, and prints how they went. `scratch` is a folder for its files. */
export type Runner = (pattern: string, scratch: string, print: (text: string) => void) => Promise<Ending>

export interface Ending {
  readonly tally: Tally
  readonly exitCode: number
}

export const nothing: Tally = { passed: 0, failed: 0, skipped: 0 }

export function add(a: Tally, b: Tally): Tally {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped }
}

/**
 * Why a runner that counted no failure must still not look like a success: it ended badly, or ran nothing. Then it
 * counts as one failure.
 */
export function falseSuccess({ tally: { failed, passed }, exitCode }: Ending): string | undefined {
  if (failed > 0) return undefined
  if (exitCode !== 0) return `ended with exit code ${exitCode}.`
  return passed > 0 ? undefined : 'no test ran.'
}
