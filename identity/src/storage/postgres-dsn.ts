import type { PoolConfig } from 'pg'

/** What the driver takes from a `dsn`. The rest is for the drivers of other programs, such as Ory Kratos' own. */
const UNDERSTOOD = new Set([
  ...['host', 'port', 'user', 'password', 'application_name', 'options'],
  ...['sslmode', 'sslrootcert', 'sslcert', 'sslkey'],
])

export function isPostgresDsn(dsn: string): boolean {
  return /^postgres(ql)?:/.test(dsn)
}

/** Where a `dsn` leads. Throws without quoting it: it holds a password. */
export function connectionOf(dsn: string): PoolConfig {
  const url = parsed(dsn)
  const { searchParams: query } = url
  const max = Number(query.get('max_conns') ?? 0)
  for (const name of [...query.keys()]) if (!UNDERSTOOD.has(name)) query.delete(name)
  // libpq's and Kratos' meaning of the modes. `allow` prefers a plain connection, and the driver has no second try.
  if (query.get('sslmode') === 'allow') query.set('sslmode', 'disable')
  if (query.has('sslmode')) query.set('uselibpqcompat', 'true')
  return { connectionString: url.href, ...(max >= 1 ? { max } : {}) }
}

/** What a `dsn` names, without the password and what else is nobody's business. */
export function describePostgres(dsn: string): string {
  const { host, pathname, searchParams } = parsed(dsn)
  return `PostgreSQL, ${searchParams.get('host') ?? (host || 'localhost')}${decodeURI(pathname)}`
}

function parsed(dsn: string): URL {
  // A socket's folder stands in the query then: postgres://user@/name?host=/run/postgresql
  const url = URL.parse(dsn.replace('@/', '@localhost/'))
  if (!url) throw new Error('it must look like postgres://user:password@host:5432/name')
  return url
}
