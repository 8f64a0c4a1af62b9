import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectionOf, describePostgres } from './dsn.ts'

const queryOf = (dsn: string) => Object.fromEntries(new URL(connectionOf(dsn).hosts[0] ?? '').searchParams)

test('uses only the connection settings of Kratos’ driver', () => {
  const dsn =
    'postgres://ada:x@db:5432/id?sslmode=disable&max_conns=20&max_idle_conns=4&max_conn_lifetime=1h&connect_timeout=3'
  assert.deepEqual(queryOf(dsn), { sslmode: 'disable', uselibpqcompat: 'true' })
  assert.equal(connectionOf(dsn).max, 20)
  assert.equal(connectionOf(dsn).connectionTimeoutMillis, 3000)
  assert.equal(connectionOf('postgresql://db/id').max, undefined)
})

test('interprets TLS settings as libpq and Kratos do', () => {
  assert.deepEqual(queryOf('postgres://db/id'), {})
  assert.equal(queryOf('postgres://db/id?sslmode=allow').sslmode, 'disable')
  assert.equal(queryOf('postgres://db/id?sslmode=verify-full').sslmode, 'verify-full')
})

test('sslrootcert=system trusts the certificates of the system, and verifies the host', () => {
  for (const dsn of [
    'postgres://db/id?sslrootcert=system',
    'postgres://db/id?sslrootcert=system&sslmode=verify-full',
  ]) {
    assert.deepEqual(queryOf(dsn), {})
    const { ssl } = connectionOf(dsn)
    assert.ok(typeof ssl === 'object' && ssl.secureContext && ssl.rejectUnauthorized !== false)
  }
  for (const sslmode of ['disable', 'prefer', 'require', 'verify-ca'])
    assert.throws(
      () => connectionOf(`postgres://db/id?sslrootcert=system&sslmode=${sslmode}`),
      /needs `sslmode=verify-full`/,
    )
  assert.equal(queryOf('postgres://db/id?sslrootcert=/ca.pem').sslrootcert, '/ca.pem')
})

test('accepts several hosts with their ports and one set of parameters', () => {
  const dsn = 'postgres://ada:s,e@a:5433,b/id?target_session_attrs=read-write&sslmode=disable'
  const rest = '/id?sslmode=disable&uselibpqcompat=true'
  assert.deepEqual(connectionOf(dsn).hosts, [
    `postgres://ada:s,e@a:5433${rest}`,
    `postgres://ada:s,e@b${rest}`,
  ])
  assert.equal(describePostgres(dsn), 'PostgreSQL, a:5433,b/id')
})

test('rejects an unknown pooler', () => {
  assert.throws(() => connectionOf('postgres://db/id?pooler=session'), /`pooler` can only be `transaction`/)
})

test('hides the password', () => {
  assert.equal(describePostgres('postgres://ada:secret@db:5433/id?password=secret'), 'PostgreSQL, db:5433/id')
  assert.equal(describePostgres('postgres://ada@/id?host=/run/pg'), 'PostgreSQL, /run/pg/id')
  assert.equal(describePostgres('postgres:///id'), 'PostgreSQL, localhost/id')
})

test('rejects an invalid URL without quoting it', () => {
  assert.throws(
    () => connectionOf('postgres://ada:sec#ret@db:5432/id'),
    (error: Error) =>
      /must look like postgres:\/\//.test(error.message) && !/sec/.test(JSON.stringify(error)),
  )
})
