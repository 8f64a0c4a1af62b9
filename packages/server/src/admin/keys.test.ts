import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { randomSecret } from '../../test/product.ts'
import { freePorts, runCommand, serve } from '../../test/running-server.ts'

const DATA_DIR = mkdtempSync(join(tmpdir(), 'my-app-keys-'))
after(() => rmSync(DATA_DIR, { recursive: true }))
const env = { DATA_DIR, ...(await freePorts()) }
const rotate = (words: string, more: NodeJS.ProcessEnv = {}, status = 0) =>
  runCommand(['admin', 'keys', 'rotate', ...words.split(' ').filter(Boolean)], { ...env, ...more }, status)
const usage = (words: string) =>
  runCommand(['admin', 'keys', 'usage', ...words.split(' ').filter(Boolean)], env, 0)
const file = join(DATA_DIR, 'secrets.json')
const stored = () => (JSON.parse(readFileSync(file, 'utf8')) as { secrets: string[] }).secrets
const email = 'user@example.com'

test('FLT-26 keys rotate adds a private first secret, and a restart signs no user out', async () => {
  assert.match(rotate('--yes', {}, 1).stderr, /does not exist: the first start makes it/)
  let session = ''
  {
    await using server = await serve(env)
    await server.createUser(email)
    session = await server.openSession(email)
    const [old] = stored()
    assert.match(rotate('', {}, 1).stderr, /^Put a new secret in front .* Confirm with --yes/)
    assert.deepEqual(stored(), [old])
    writeFileSync(`${file}.next`, '{')
    const { stdout, stderr } = rotate('--yes')
    assert.match(stdout, /first of 2 in .*\n1\. Restart the server/)
    assert.equal(JSON.parse(stderr).event, 'secrets_rotated')
    const [fresh, kept] = stored()
    assert.equal(kept, old)
    assert.notEqual(fresh, old)
    for (const secret of stored()) assert.ok(!(stdout + stderr).includes(secret), 'a secret is printed')
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal(await server.whoami(session), 200)
  }
  await using server = await serve(env)
  assert.equal(await server.whoami(session), 200)
  assert.equal(await server.signIn(email), 200)
  const { uses } = JSON.parse(usage('--json').stdout)
  assert.deepEqual(
    uses.map(({ totp }: { totp: number }) => totp),
    [0, 0],
  )
  assert.match(usage('').stdout, /^In \S+\.sqlite:\nSecret 1 \(signs and encrypts\): .+\nSecret 2: /)
  assert.equal(JSON.parse(rotate('--yes --json').stdout).secrets, 3)
})

test('keys rotate prints a secret for SECRETS and the two steps, but no old secret', () => {
  const SECRETS = 'a-secret-of-the-tests-that-is-long-enough-1'
  const before = readFileSync(file, 'utf8')
  const { stdout } = rotate('', { SECRETS })
  const [, secret = ''] = /^ {2}(\S{43})$/m.exec(stdout) ?? []
  assert.match(stdout, /nothing was changed/)
  assert.ok(
    stdout.includes(`SECRETS="$SECRETS,${secret}"`) && stdout.includes(`SECRETS="${secret},$SECRETS"`),
  )
  assert.ok(!stdout.includes(SECRETS))
  assert.equal(readFileSync(file, 'utf8'), before)
  assert.equal(JSON.parse(rotate('--json', { SECRETS }).stdout).steps.length, 3)
})

test('keys rotate names the file of SECRETS_FILE in the steps, and leaves it unchanged', () => {
  const SECRETS_FILE = join(DATA_DIR, 'mounted')
  writeFileSync(SECRETS_FILE, 'a-secret-of-the-tests-that-is-long-enough-1')
  const { stdout } = rotate('', { SECRETS_FILE })
  const [, secret = ''] = /^ {2}(\S{43})$/m.exec(stdout) ?? []
  assert.ok(stdout.includes(`add ",${secret}" to the end of ${SECRETS_FILE} and restart`))
  assert.ok(stdout.includes(`beginning of ${SECRETS_FILE}, as "${secret},"`))
  assert.doesNotMatch(stdout, /SECRETS=|a-secret-of-the-tests/)
  assert.equal(readFileSync(SECRETS_FILE, 'utf8'), 'a-secret-of-the-tests-that-is-long-enough-1')
})

test('keys rotate refuses where there is nothing to rotate', () => {
  assert.match(rotate('--yes', { DATABASE_URL: 'memory:' }, 1).stderr, /database in memory is new/)
  assert.match(
    rotate('--yes', { IDENTITY_URL: 'https://id.example' }, 1).stderr,
    /IDENTITY_URL has the secrets/,
  )
})

test('doctor finds what no secret decrypts any more', async () => {
  const [old, SECRETS] = [randomSecret(), randomSecret()]
  const others = { ...env, DATA_DIR: mkdtempSync(join(tmpdir(), 'my-app-keys-')), DEMO: 'off' }
  after(() => rmSync(others.DATA_DIR, { recursive: true }))
  {
    await using server = await serve({ ...others, SECRETS: old })
    await server.createUser(email)
    const headers = { 'X-Session-Token': await server.openSession(email) }
    // Encrypts the key of `user_jwt`.
    const whoami = `http://localhost:${env.PORT}/.ory/sessions/whoami?tokenize_as=my_app_jwt`
    assert.equal((await fetch(whoami, { headers })).status, 200)
  }
  await (await serve({ ...others, SECRETS: `${SECRETS},${old}` }))[Symbol.asyncDispose]()
  assert.match(
    runCommand(['doctor'], { ...others, SECRETS }, 1).stdout,
    /No secret decrypts .*1 token keys\.\s+Append the secret/,
  )
  // Without any secret.
  assert.match(runCommand(['doctor'], others, 1).stdout, /last used with a secret that is missing here\./)
})
