import type { Config } from './config.ts'

const FIXED = [
  'dsn',
  'log.level',
  'log.format',
  'serve.public.base_url',
  'serve.public.host',
  'serve.public.port',
  'serve.admin.base_url',
  'serve.admin.host',
  'serve.admin.port',
] as const

export function withoutRestart(
  running: Config,
  wanted: Config,
): { readonly config: Config; readonly waiting: readonly string[] } {
  const { dsn, log, serve } = running
  const { cors } = wanted.serve.public
  const config = Object.freeze({
    ...wanted,
    dsn,
    log,
    serve: { ...serve, public: { ...serve.public, cors } },
  })
  return { config, waiting: FIXED.filter((path) => valueAt(running, path) !== valueAt(wanted, path)) }
}

function valueAt(config: Config, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, step) => (value as Readonly<Record<string, unknown>>)[step], config)
}
