import { parseArgs } from 'node:util'
import { ConfigError, messageOf } from '@my-app/identity/serving'

export const HELP = `Starts the identity service alone.

  npm run identity -- --config FILE [--config FILE]

  Environment variables override the files: SERVE_PUBLIC_PORT is serve.public.port.
  Changed files, and those that they name by file://, are read again while the service runs.
  WORKERS=4 starts four processes that share the ports, WORKERS=auto one for each core.
  OTEL_EXPORTER_OTLP_ENDPOINT exports traces: docs/operations.md.

  -c, --config FILE   YAML or JSON with Ory Kratos' own keys; a later file overrides earlier ones
  --forget-secrets    lets the next start use any secrets, then exits: for secrets that are lost for good
  -h, --help          prints this help
`

/** Throws `ConfigError` with the help. */
export function readArguments(args: readonly string[]) {
  try {
    const options = {
      config: { type: 'string', multiple: true, short: 'c' },
      'forget-secrets': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    } as const
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new ConfigError([{ path: '', message: `${messageOf(error)}\n\n${HELP}` }])
  }
}
