import { parseArgs } from 'node:util'
import { ConfigError, messageOf } from '@ostiary/identity/serving'

export const HELP = `Starts the identity service alone.

  npm run identity -- --config FILE [--config FILE]
  npm run identity -- check --config FILE     compares with an Ory Kratos with this file: exit code 0
                                              if no client notices a change, 1 if one does, 2 if it would not start
  npm run identity -- import --config FILE --from-kratos-database DSN     copies accounts and sessions, then exits

  Environment variables override the files: SERVE_PUBLIC_PORT is serve.public.port.
  Changed files, and those that they name by file://, are read again while the service runs.
  WORKERS=4 starts four processes that share the ports, WORKERS=auto one for each core.
  OTEL_EXPORTER_OTLP_ENDPOINT exports traces: docs/operations.md.

  -c, --config FILE   YAML or JSON with Ory Kratos' own keys; a later file overrides earlier ones
  --dev               dev mode, whatever the files set
  --from-kratos-database DSN   SQLite file or PostgreSQL URL of an Ory Kratos v26.2.0, which is only read
  --forget-secrets    lets the next start use any secrets, then exits: for secrets that are lost for good
  -h, --help          prints this help

  The command serve and the options --watch-courier and --sqa-opt-out of Ory Kratos have no effect.
`

/** Throws `ConfigError` with the help. */
export function readArguments(args: readonly string[]) {
  try {
    const options = {
      config: { type: 'string', multiple: true, short: 'c' },
      dev: { type: 'boolean' },
      'forget-secrets': { type: 'boolean' },
      'from-kratos-database': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
      'sqa-opt-out': { type: 'boolean' },
      'watch-courier': { type: 'boolean' },
    } as const
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    return { ...values, command: commandOf(positionals) }
  } catch (error) {
    throw new ConfigError([{ path: '', message: `${messageOf(error)}\n\n${HELP}` }])
  }
}

function commandOf(words: readonly string[]): 'check' | 'import' | 'serve' {
  const text = words.join(' ')
  if (text === 'check' || text === 'import') return text
  if (['', 'serve', 'serve all'].includes(text)) return 'serve'
  throw new Error(`unknown command: ${text}`)
}
