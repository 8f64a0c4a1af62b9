export interface Selection {
  readonly pattern: string
  readonly title: string | undefined
  /** Instead of a sample. */
  readonly all: boolean
}

export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** `scratch`: a folder for temporary files. */
export type Runner = (selection: Selection, scratch: string, print: (text: string) => void) => Promise<Ending>

export interface Ending {
  readonly tally: Tally
  readonly exitCode: number
}

export const nothing: Tally = { passed: 0, failed: 0, skipped: 0 }

/** For a program whose piped output ends on a terminal. */
export function colours(): NodeJS.ProcessEnv {
  return process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
}
