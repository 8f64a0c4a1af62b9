export interface ConfigIssue {
  /** Such as `selfservice.flows.login.lifespan`; empty for the whole file. */
  readonly path: string
  readonly message: string
}

/**
 * An invalid configuration. `issues` lists each problem with its key.
 *
 * @example createIdentity({}).catch((error) => { if (error instanceof ConfigError) process.exit(2) })
 */
export class ConfigError extends Error {
  readonly issues: readonly ConfigIssue[]

  constructor(issues: readonly ConfigIssue[], options?: ErrorOptions) {
    const lines = issues.map(lineOf)
    super(
      lines.length === 1 ? lines[0] : `the configuration has ${lines.length} errors\n  ${lines.join('\n  ')}`,
      options,
    )
    this.name = 'ConfigError'
    this.issues = issues
  }
}

export function lineOf({ path, message }: ConfigIssue): string {
  return path === '' ? message : `${path}: ${message}`
}

/** Formats a path as `identity.schemas[0].url`. */
export function pathOf(steps: readonly PropertyKey[]): string {
  return steps.reduce<string>((path, step) => {
    if (typeof step === 'number') return `${path}[${step}]`
    return path === '' ? String(step) : `${path}.${String(step)}`
  }, '')
}
