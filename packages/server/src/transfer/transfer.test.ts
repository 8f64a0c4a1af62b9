import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { portOf } from '@ostiary/identity-server'
import { sampleTraits } from '@ostiary/server/testing/sample-traits'
import * as product from '../../../../app.config.ts'
import { freePorts, machine, main, PASSWORD, runCommand, serve } from '../../test/running-server.ts'
import { toAccount } from './account.ts'
import { fromCsvRow, toCsvRow } from './csv-row.ts'

const JSON_BODY = { 'Content-Type': 'application/json' }
const scratch = mkdtempSync(join(tmpdir(), 'my-app-transfer-'))

const env = await freePorts()
const server = await serve({ DATA_DIR: join(scratch, 'data'), ...env })
const there = await freePorts()
const second = await serve({ DATA_DIR: join(scratch, 'second'), ...there })
after(async () => {
  await server[Symbol.asyncDispose]()
  await second[Symbol.asyncDispose]()
  rmSync(scratch, { recursive: true })
})
const traitsFor = (email = '') => sampleTraits(product, email)
const emails = Array.from({ length: 3 }, (_, index) => `user-${index}@example.com`)

const DELETION = { requested_at: '2031-01-01T00:00:00.000Z', due_at: '2099-01-15T00:00:00.000Z' }
const FACTS = [
  { sign_up: null },
  { sign_up: { proven: false, imported: false } },
  { sign_up: { proven: true, imported: false }, deletion: DELETION },
  { sign_up: { proven: false, imported: true } },
]
const MEMBERS = [
  { metadata_public: { roles: ['admin'] } },
  { metadata_admin: ['noted'] },
  {},
  { state: 'inactive' },
]

async function createWithFacts(index: number): Promise<void> {
  const email = `facts-${index}@example.com`
  const verified_at = '2030-01-01T00:00:00Z'
  const body = JSON.stringify({
    ...{ traits: traitsFor(email), external_id: `id-${index}`, transfer: FACTS[index], ...MEMBERS[index] },
    verifiable_addresses: [{ value: email, via: 'email', verified: index > 1, verified_at }],
    credentials: {
      password: { config: { password: PASSWORD } },
      oidc: { config: { providers: [{ provider: 'google', subject: `x github:${index}` }] } },
    },
  })
  const init = { method: 'POST', headers: JSON_BODY, body }
  const made = await fetch(`http://127.0.0.1:${env.ADMIN_PORT}/admin/identities`, init)
  assert.equal(made.status, 201, await made.text())
}

function exportedFrom(ports: typeof env) {
  const file = join(scratch, 'facts.jsonl')
  runCommand(['export', file], ports)
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  rmSync(file)
  return lines
    .map((line) => JSON.parse(line))
    .sort((one, other) => one.external_id.localeCompare(other.external_id))
}

for (const format of ['jsonl', 'json', 'csv'])
  test(`SEC-104 accounts in a file as ${format} sign in elsewhere and keep what decisions read`, async () => {
    await second.deleteUsers()
    await server.deleteUsers()
    for (const index of FACTS.keys()) await createWithFacts(index)
    const file = join(scratch, `moved.${format}`)
    assert.match(runCommand(['export', file], env).stdout, /^4 accounts exported to .*password hashes/)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal(runCommand(['import', file], there).stdout, '4 accounts imported, 0 refused.\n')
    assert.equal(existsSync(`${file}.progress`), false)
    assert.equal(await second.signIn('facts-2@example.com'), 200)
    // CSV has no times of verifications, which decide nothing.
    const compared = ({ verifiable_addresses, ...record }: { verifiable_addresses?: object[] }) =>
      format === 'csv' ? record : { ...record, verifiable_addresses }
    const [before, after] = [exportedFrom(env), exportedFrom(there)]
    assert.deepEqual(after.map(compared), before.map(compared))
    assert.deepEqual(
      after.map(({ transfer }) => transfer.sign_up),
      FACTS.map(({ sign_up }) => sign_up),
    )
    writeFileSync(`${file}.refused.jsonl`, 'what an import before has refused\n')
    const again = runCommand(['import', file], there, 1)
    assert.match(again.stdout, /^0 accounts imported, 4 refused\. .*refused\.jsonl says why/)
    const report = readFileSync(`${file}.refused.jsonl`, 'utf8')
    assert.match(report, /^{"number":[12],"reason":"This identity conflicts with another identity[^"]+"}\n/)
    assert.doesNotMatch(report, /argon2/)
  })

test('an export to a full disk ends without a part of a page', async () => {
  const file = join(scratch, 'cut.jsonl')
  await server.deleteUsers()
  for (const email of emails) await server.createUser(email)
  // A full disk still accepts the first part.
  assert.equal(runLimited(1, ['export', file]), 1)
  assert.match(runCommand(['export', file], env, 1).stderr, /exists already/)
})

test('a full disk keeps the progress of an import', async () => {
  await server.deleteUsers()
  const file = join(scratch, 'full.jsonl')
  writeFileSync(file, `\n${JSON.stringify({ traits: traitsFor(emails[0]) })}`)
  const progress = JSON.stringify({ read: 0, imported: 0, refused: 0, without_second_factor: 0 })
  writeFileSync(`${file}.progress`, progress)
  assert.equal(runLimited(0, ['import', file]), 1)
  assert.equal(readFileSync(`${file}.progress`, 'utf8'), progress)
})

test('a damaged progress file is named, with what to do', () => {
  const file = join(scratch, 'damaged.jsonl')
  writeFileSync(file, '')
  writeFileSync(`${file}.progress`, '{')
  assert.match(runCommand(['import', file], env, 1).stderr, /progress is damaged\. Delete it to import from/)
})

/** Returns the exit code of a command whose files have at most so many KB. */
function runLimited(kilobytes: number, command: readonly string[]): number | null {
  const limited = `trap "" XFSZ; ulimit -f ${kilobytes}; exec "$@"`
  const given = ['-c', limited, 'bash', process.execPath, ...main, ...command]
  return spawnSync('bash', given, { env: { ...machine, ...env, NODE_COMPILE_CACHE: '' } }).status
}

test('an interrupted import continues, and an unreadable record stops no other', async () => {
  const file = join(scratch, 'mixed.jsonl')
  const lines = [
    { traits: traitsFor(emails[0]) },
    { no: 'traits' },
    { traits: { email: 7 } },
    { traits: traitsFor(emails[1]) },
  ]
  writeFileSync(file, [...lines.map((line) => JSON.stringify(line)), '{"traits":'].join('\n'))
  writeFileSync(
    `${file}.progress`,
    JSON.stringify({ read: 1, imported: 1, refused: 0, without_second_factor: 0 }),
  )
  await server.deleteUsers()
  assert.match(runCommand(['import', file], env, 1).stdout, /^2 accounts imported, 3 refused/)
  assert.match(
    readFileSync(`${file}.refused.jsonl`, 'utf8'),
    /"number":5,"reason":"line 5 is not valid JSON\."/,
  )
  const all = join(scratch, 'all.jsonl')
  runCommand(['export', all], env)
  const [only, ...others] = readFileSync(all, 'utf8').trim().split('\n')
  assert.deepEqual([JSON.parse(only ?? '').traits, others], [traitsFor(emails[1]), []])
})

test('imports records that the admin API could not take at once', async () => {
  const file = join(scratch, 'large.jsonl')
  const large = (index: number, size: number) =>
    JSON.stringify({ traits: traitsFor(`large-${index}@example.com`), metadata_admin: 'x'.repeat(size) })
  const deep = `{"traits":{},"metadata_admin":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
  const records = [
    ...Array.from({ length: 27 }, (_, index) => large(index, 200_000)),
    large(27, 6_000_000),
    deep,
    large(28, 0),
  ]
  writeFileSync(file, records.join('\n'))
  assert.match(runCommand(['import', file], env, 1).stdout, /^28 accounts imported, 2 refused/)
  const report = readFileSync(`${file}.refused.jsonl`, 'utf8').trim().split('\n')
  assert.deepEqual(
    report.map((line) => JSON.parse(line)),
    [
      { number: 28, reason: 'it is larger than 5 MB' },
      { number: 29, reason: 'it is nested too deeply' },
    ],
  )
})

test('refuses a file of hash parameters without quoting it', () => {
  const [users, parameters] = [join(scratch, 'users.json'), join(scratch, 'hash.json')]
  writeFileSync(users, '[]')
  writeFileSync(parameters, '{"base64_signer_key": c2VjcmV0}')
  const { stdout, stderr } = runCommand(
    ['import', users, '--from', 'firebase', '--hash-config', parameters],
    env,
    1,
  )
  assert.match(stderr, /hash\.json must hold base64_signer_key/)
  assert.doesNotMatch(stdout + stderr, /c2Vj/)
})

test('SEC-104 no cell of a CSV file begins like a formula, and cells are read back unchanged', () => {
  for (const value of [
    "=cmd|'/c_calc'!a0@example.com",
    'x github:12345',
    ' 1  2 ',
    '100%20%25',
    'line\nbreak,"quoted";\ttab',
    '+491511234567',
    "'=1@example.com",
    '-1@example.com',
  ]) {
    const providers = [
      { provider: '@site', subject: value },
      { provider: 'git:hub', subject: '1:2' },
    ]
    const traits = { email: 'ada@example.com', name: 'Ada' }
    const account = toAccount({ external_id: value, traits, verified: [value], active: true, providers })
    const row = toCsvRow(account)
    for (const cell of Object.values(row)) assert.doesNotMatch(cell, /^[=+\-@\t\r]/)
    assert.deepEqual(fromCsvRow(row), account)
  }
})

test('Ctrl-C ends an import between batches, to be continued', async () => {
  const file = join(scratch, 'many.jsonl')
  const records = Array.from({ length: 500 }, (_, n) => ({ traits: traitsFor(`many-${n}@example.com`) }))
  writeFileSync(file, records.map((one) => JSON.stringify(one)).join('\n'))
  let batches = 0
  // Sits between import and server, so that the signal comes in the middle.
  const gate = createServer(async (request, response) => {
    if (++batches === 2) child.kill('SIGINT')
    const sent = { method: request.method ?? '', headers: JSON_BODY, body: await text(request) }
    const answer = await fetch(`http://127.0.0.1:${env.ADMIN_PORT}${request.url}`, sent)
    response.writeHead(answer.status, JSON_BODY).end(await answer.text())
  }).listen(0, '127.0.0.1')
  await once(gate, 'listening')
  const through = { ...machine, ...env, ADMIN_PORT: `${portOf([gate])}` }
  const child = spawn(process.execPath, [...main, 'import', file], { env: through })
  const [[code], said] = await Promise.all([once(child, 'exit'), text(child.stderr)])
  assert.equal(code, 1)
  gate.close()
  assert.match(said, /^Stopped after [1-4]00 records\. The same command continues there\.\n$/)
  assert.equal(runCommand(['import', file], env).stdout, '500 accounts imported, 0 refused.\n')
})

test('reports a silent server and damaged files in a sentence', async () => {
  const file = join(scratch, 'away.jsonl')
  assert.match(runCommand(['export', file], await freePorts(), 1).stderr, /^The admin API does not answer/)
  assert.equal(existsSync(file), false)
  for (const ending of ['csv', 'jsonl', 'json']) {
    const missing = join(scratch, `missing.${ending}`)
    assert.equal(
      runCommand(['import', missing], env, 1).stderr,
      `npm run import failed: ${missing}: the file does not exist.\n`,
    )
  }
  const damaged = join(scratch, 'damaged.csv')
  writeFileSync(damaged, 'external_id,traits\n1,"unclosed\n')
  assert.match(
    runCommand(['import', damaged], env, 1).stderr,
    /damaged\.csv, line \d, is not valid CSV: close its quotation mark\.\n$/,
  )
  assert.match(
    runCommand(['import', damaged, '--form', 'x'], env, 1).stderr,
    /^Unknown option '--form'\.\n\nnpm run/,
  )
})

test('an import stops once an operator may not create accounts', async () => {
  const token = 'kf3Jd92hZq7LmX0pRt5Vw8Yb1Nc4Gs6T'
  const ports = { ...(await freePorts()), ADMIN_TOKENS: `ada:support:${token}` }
  await using _ = await serve({ DATA_DIR: join(scratch, 'roles'), ...ports })
  const file = join(scratch, 'roles.jsonl')
  writeFileSync(file, emails.map((email) => `${JSON.stringify({ traits: traitsFor(email) })}\n`).join(''))
  const { stdout, stderr } = runCommand(['import', file], { ...ports, ADMIN_TOKEN: token }, 1)
  assert.equal(stdout, '')
  assert.match(stderr, /^The admin API refused \(403\): [^\n]+\n$/)
  assert.equal(existsSync(`${file}.refused.jsonl`), false)
})
