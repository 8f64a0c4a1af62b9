/** Options of `npm test`. */
export interface Selection {
  /** Part of a file's path. */
  readonly pattern: string
  /** Regular expression for test titles. */
  readonly title: string | undefined
  /** Run every case instead of a sample. */
  readonly all: boolean
}

export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** Runs the selected tests and prints the results. `scratch` is a folder for temporary files. */
export type Runner = (selection: Selection, scratch: string, print: (text: string) => void) => Promise<Ending>

export interface Ending {
  readonly tally: Tally
  readonly exitCode: number
}

export const nothing: Tally = { passed: 0, failed: 0, skipped: 0 }

/** Keeps colors in a program whose piped output ends on a terminal. */
export function colours(): NodeJS.ProcessEnv {
  return process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
}
