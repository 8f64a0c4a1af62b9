import type { PoolConfig } from 'pg'

/** Other `dsn` parameters are for other drivers, such as Ory Kratos' own. */
const UNDERSTOOD = new Set([
  ...['host', 'port', 'user', 'password', 'application_name', 'options'],
  ...['sslmode', 'sslrootcert', 'sslcert', 'sslkey'],
])

export function isPostgresDsn(dsn: string): boolean {
  return /^postgres(ql)?:/.test(dsn)
}

/** The error does not quote the `dsn`, because it contains a password. */
export function connectionOf(dsn: string): PoolConfig {
  const url = parsed(dsn)
  const { searchParams: query } = url
  const max = Number(query.get('max_conns') ?? 0)
  // libpq's setting, in seconds. Here for opening a connection or waiting for one.
  const wait = Number(query.get('connect_timeout') ?? 0)
  // PostgreSQL's setting, in milliseconds.
  const statement = Number(query.get('statement_timeout') ?? 0)
  for (const name of [...query.keys()]) if (!UNDERSTOOD.has(name)) query.delete(name)
  // `allow` prefers an unencrypted connection. The driver has no fallback.
  if (query.get('sslmode') === 'allow') query.set('sslmode', 'disable')
  if (query.has('sslmode')) query.set('uselibpqcompat', 'true')
  return {
    connectionString: url.href,
    ...(max >= 1 ? { max } : {}),
    ...(wait > 0 ? { connectionTimeoutMillis: wait * 1000 } : {}),
    ...(statement > 0 ? { statement_timeout: statement } : {}),
  }
}

export function describePostgres(dsn: string): string {
  const { host, pathname, searchParams } = parsed(dsn)
  return `PostgreSQL, ${searchParams.get('host') ?? (host || 'localhost')}${decodeURI(pathname)}`
}

function parsed(dsn: string): URL {
  // A socket's folder is in the query: postgres://user@/name?host=/run/postgresql
  const url = URL.parse(dsn.replace('@/', '@localhost/'))
  if (!url) throw new Error('it must look like postgres://user:password@host:5432/name')
  return url
}
