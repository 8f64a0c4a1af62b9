/** What `npm test` was asked for. */
export interface Selection {
  /** A part of the paths of the files. */
  readonly pattern: string
  /** A regular expression for the titles of the tests. */
  readonly title: string | undefined
  /** No samples: every case. */
  readonly all: boolean
}

export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** Runs the selected tests and prints how they went. `scratch` is a folder for its files. */
export type Runner = (selection: Selection, scratch: string, print: (text: string) => void) => Promise<Ending>

export interface Ending {
  readonly tally: Tally
  readonly exitCode: number
}

export const nothing: Tally = { passed: 0, failed: 0, skipped: 0 }

/** For a program whose output is piped, so it sees no terminal. */
export function colours(): NodeJS.ProcessEnv {
  return process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
}
