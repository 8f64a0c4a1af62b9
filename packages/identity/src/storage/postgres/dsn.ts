import { readFileSync } from 'node:fs'
import tls from 'node:tls'
import type { PoolConfig } from 'pg'

const TLS = new Set(['sslmode', 'sslrootcert', 'sslcert', 'sslkey'])

/** Other `dsn` parameters are for other drivers, such as Ory Kratos' own. */
const UNDERSTOOD = new Set(['host', 'port', 'user', 'password', 'application_name', 'options', ...TLS])

/** The default of `max_conns`. */
export const CONNECTIONS = 10

export function isPostgresDsn(dsn: string): boolean {
  return /^postgres(ql)?:/.test(dsn)
}

export interface Connection extends PoolConfig {
  /** One URL for each host. The first that accepts writes is used. */
  readonly hosts: readonly string[]
  /** A pooler in transaction mode keeps no settings or prepared statements. */
  readonly isPooled: boolean
}

/** The error does not quote the `dsn`, because it contains a password. */
export function connectionOf(dsn: string): Connection {
  const urls = parseHosts(dsn)
  const [{ searchParams: query }] = urls
  const pooler = query.get('pooler')
  if (pooler !== null && pooler !== 'transaction') throw new Error('its `pooler` can only be `transaction`')
  const max = Number(query.get('max_conns') ?? 0)
  // libpq's setting, in seconds. Here for opening a connection or waiting for one.
  const wait = Number(query.get('connect_timeout') ?? 0)
  // PostgreSQL's setting, in milliseconds.
  const statement = Number(query.get('statement_timeout') ?? 0)
  const ssl = systemTrust(query)
  const hosts = urls.map(urlForDriver)
  return {
    hosts,
    isPooled: pooler !== null,
    ...(ssl && { ssl }),
    ...(max >= 1 ? { max } : {}),
    ...(wait > 0 ? { connectionTimeoutMillis: wait * 1000 } : {}),
    ...(statement > 0 ? { statement_timeout: statement } : {}),
  }
}

/** As in libpq, `sslrootcert=system` does not name a file. The driver's own TLS settings would replace these. */
function systemTrust(query: URLSearchParams): PoolConfig['ssl'] {
  if (!trustsSystem(query)) return undefined
  if ((query.get('sslmode') ?? 'verify-full') !== 'verify-full')
    throw new Error('its `sslrootcert=system` needs `sslmode=verify-full`')
  const [cert, key] = ['sslcert', 'sslkey'].map((name) => {
    const path = query.get(name)
    return path === null ? undefined : readFileSync(path)
  })
  const ca = [...new Set((['default', 'system'] as const).flatMap((store) => tls.getCACertificates(store)))]
  // Shared by the connections, because reading hundreds of certificates takes milliseconds.
  return { secureContext: tls.createSecureContext({ ca, cert, key }) }
}

function trustsSystem(query: URLSearchParams): boolean {
  return query.get('sslrootcert') === 'system'
}

function urlForDriver(url: URL): string {
  const { searchParams: query } = url
  const understood = trustsSystem(query) ? UNDERSTOOD.difference(TLS) : UNDERSTOOD
  for (const name of [...query.keys()]) if (!understood.has(name)) query.delete(name)
  // `allow` prefers an unencrypted connection. The driver has no fallback.
  if (query.get('sslmode') === 'allow') query.set('sslmode', 'disable')
  if (query.has('sslmode')) query.set('uselibpqcompat', 'true')
  return url.href
}

export function describePostgres(dsn: string): string {
  const urls = parseHosts(dsn)
  const [{ pathname, searchParams }] = urls
  const hosts = urls.map(({ host }) => host || 'localhost').join()
  return `PostgreSQL, ${searchParams.get('host') ?? hosts}${decodeURI(pathname)}`
}

function parseHosts(dsn: string): [URL, ...URL[]] {
  const [, before = '', hosts = '', after = ''] = /^(\w+:\/\/(?:[^/]*@)?)([^/?#]*)(.*)$/s.exec(dsn) ?? []
  // A socket's folder is in the query: postgres://user@/name?host=/run/postgresql
  const [first, ...others] = hosts.split(',').map((host) => URL.parse(before + (host || 'localhost') + after))
  if (!first || others.includes(null))
    throw new Error('it must look like postgres://user:password@host:5432/name')
  return [first, ...(others as URL[])]
}
