import assert from 'node:assert/strict'
import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { newDsn, testOn } from '@ostiary/identity/testing/kit/databases'
import { freePort } from '@ostiary/identity/testing/servers/free-port'
import { listenOnLoopback } from '@ostiary/identity/testing/servers/loopback'
import { startMailServer } from '@ostiary/identity/testing/servers/mail-server'
import product from '../../../../app/server.ts'
import { randomSecret } from '../../test/product.ts'
import { freePorts, serve } from '../../test/running-server.ts'
import { readSettings } from '../../test/settings.ts'
import { examine } from './doctor.ts'

async function complaints(env: NodeJS.ProcessEnv, how: { deep?: boolean; now?: () => Date } = {}) {
  const ports = await freePorts()
  const report = await examine({ product, deep: false, now: () => new Date(), ...how }, () =>
    readSettings({ ...ports, DATABASE_URL: `sqlite:${join(tmpdir(), 'no-such-database')}`, ...env }),
  )
  return report
    .filter(({ level }) => level !== 'ok')
    .map(({ level, check, message, fix }) => `${level} ${check}: ${message} | ${fix}`)
}

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'my-app-doctor-'))
  t.after(() => rmSync(path, { recursive: true }))
  return path
}

async function startServer(t: TestContext, status: number, body: unknown, headers = {}) {
  const { url, close } = await listenOnLoopback((_request, response) => {
    response.writeHead(status, headers).end(JSON.stringify(body))
  })
  t.after(close)
  return url
}

async function usedFolder(t: TestContext) {
  const DATA_DIR = folder(t)
  await (await serve({ DATA_DIR, ...(await freePorts()) }))[Symbol.asyncDispose]()
  return { DATA_DIR, DATABASE_URL: undefined }
}

test('finds nothing wrong and creates nothing before the first start', async (t) => {
  const DATA_DIR = join(folder(t), 'data')
  assert.deepEqual(await complaints({ DATA_DIR, DATABASE_URL: undefined }), [])
  assert.equal(statSync(DATA_DIR, { throwIfNoEntry: false }), undefined)
})

test('finds nothing wrong while the server runs, even with the clock of the demo moved', async (t) => {
  const env = { DATA_DIR: folder(t), ...(await freePorts()) }
  await using _ = await serve(env)
  const change = { method: 'PATCH', body: JSON.stringify({ clock: '+25 h' }) }
  assert.equal((await fetch(`http://localhost:${env.PORT}/demo/api/switches`, change)).status, 200)
  assert.deepEqual(await complaints({ ...env, DATABASE_URL: undefined }), [])
})

test('names every invalid setting with the fix', async () => {
  const found = await complaints({ PORT: 'x', LOG_LEVEL: 'loud', MAIL_FRM: 'a@b.example' })
  assert.equal(found.length, 3)
  assert.match(found[0] ?? '', /^broken settings: PORT must be a number .* \| Change it/)
  assert.match(found[1] ?? '', /^broken settings: LOG_LEVEL must be/)
  assert.match(found[2] ?? '', /Did you mean MAIL_FROM/)
})

test('names settings that contradict each other', async () => {
  const found = await complaints({
    ADMIN_PORT: '3000',
    PORT: '3000',
    IDENTITY_JWKS_URL: 'https://keys.example',
  })
  assert.match(found.join('\n'), /PORT and ADMIN_PORT are both 3000\. \| Give one/)
  assert.match(found.join('\n'), /IDENTITY_JWKS_URL goes with IDENTITY_URL\. \| Set both/)
})

test('finds a port that another program uses', async (t) => {
  const used = await usedFolder(t)
  const { port } = new URL(await startServer(t, 200, { status: 'ok' }))
  for (const env of [{}, used]) {
    const [found] = await complaints({ PORT: port, ...env })
    assert.match(
      found ?? '',
      new RegExp(`^broken ports: Port ${port} is used by another program\\. \\| Stop`),
    )
  }
})

test('finds a data folder that cannot be created or is open to others', async (t) => {
  const [closed] = await complaints({ DATA_DIR: `${import.meta.filename}/data`, DATABASE_URL: undefined })
  assert.match(closed ?? '', /^broken data folder: The data folder .* cannot be created\. \| Set DATA_DIR/)
  const open = folder(t)
  chmodSync(open, 0o755)
  const [found] = await complaints({ DATA_DIR: open, DATABASE_URL: undefined })
  assert.match(found ?? '', /^warning data folder: Other users .* \| chmod 700/)
})

test('finds a full disk below the data folder or the database', async (t) => {
  // Linux reports no free space for it.
  const found = await complaints({ DATA_DIR: folder(t), DATABASE_URL: 'sqlite:/proc/my-app.sqlite' })
  assert.match(found.join('\n'), /^broken data folder: The disk of \/proc has 0 MB left\. \| df -h \/proc$/m)
})

test('FLT-41 finds what the start refuses of the identity service’s configuration', async () => {
  const of = async (env: NodeJS.ProcessEnv) => (await complaints(env)).join('\n')
  assert.match(
    await of({ LIMITS: '{"passwrd":"off"}' }),
    /^broken settings: LIMITS: passwrd: unknown key\. \| Did you mean password\?$/,
  )
  const client = { OIDC_CLIENT_ID: 'app', OIDC_CLIENT_SECRET: 'geheim' }
  const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://app.invalid', SECRETS: randomSecret() }
  assert.match(
    await of({ ...production, ...client, SMTP_URL: 'off', OIDC_ISSUER_URL: 'http://127.0.0.1:1' }),
    /^broken settings: OIDC_ISSUER_URL: expected https:/m,
  )
})

test('finds a misspelled setting next to valid ones', async () => {
  assert.deepEqual(await complaints({ SMPT_URL: 'smtp://mail.example' }), [
    'warning settings: SMPT_URL is not a setting. | Did you mean SMTP_URL?',
  ])
})

test('finds folders that cannot exist, and leaves none behind', async (t) => {
  const parent = folder(t)
  for (const DATA_DIR of ['/proc/my-app/data', join(parent, 'a', 'x'.repeat(300)), join(parent, '\0')]) {
    const [found] = await complaints({ DATA_DIR, DATABASE_URL: undefined })
    assert.match(found ?? '', /^broken data folder: The data folder .* cannot be created/s)
  }
  const DATA_DIR = join(parent, 'b', 'c')
  assert.deepEqual(await complaints({ DATA_DIR, DATABASE_URL: undefined }), [])
  assert.deepEqual(readdirSync(parent), [])
  const [nowhere] = await complaints({ DATABASE_URL: `sqlite:${parent}/none/x.sqlite` })
  assert.match(nowhere ?? '', /^broken database: The folder .*none of DATABASE_URL cannot be written/)
})

testOn('PostgreSQL', 'finds more connections than the server gives', async () => {
  const url = new URL(await newDsn())
  assert.deepEqual(await complaints({ DATABASE_URL: url.href }), [])
  url.searchParams.set('max_conns', '10000')
  const [found] = await complaints({ DATABASE_URL: url.href })
  assert.match(
    found ?? '',
    /^warning database: One replica opens up to 10000 connections, but .* \d+\. \| Lower/,
  )
  url.searchParams.set('pooler', 'transaction')
  assert.deepEqual(await complaints({ DATABASE_URL: url.href }), [])
})

test('finds a collector that is down or refuses', async (t) => {
  const of = async (OTEL_EXPORTER_OTLP_ENDPOINT: string) =>
    (await complaints({ OTEL_EXPORTER_OTLP_ENDPOINT })).join('\n')
  assert.match(
    await of(`http://127.0.0.1:${await freePort()}`),
    /^warning traces: OTEL_EXPORTER_OTLP_ENDPOINT: .*\/v1\/traces accepts no traces \(.*ECONNREFUSED/,
  )
  assert.match(await of(await startServer(t, 401, {})), /accepts no traces \(status 401\)/)
  assert.equal(await of(await startServer(t, 200, {})), '')
})

test('finds this app on its ports while it is not ready', async (t) => {
  const env = { DATA_DIR: folder(t), ...(await freePorts()) }
  await using _ = await serve(env)
  const file = join(env.DATA_DIR, 'my-app.sqlite')
  renameSync(file, `${file}.moved`)
  const found = await complaints({ ...env, DATABASE_URL: undefined })
  for (const port of [env.PORT, env.ADMIN_PORT])
    assert.ok(
      found.includes(
        `broken ports: ${port} is used by an app like this one that is not ready. | Read its log.`,
      ),
      found.join('\n'),
    )
})

test('finds a missing or foreign database, or other secrets', async (t) => {
  const used = await usedFolder(t)
  const [lost] = await complaints({ ...used, SECRETS: randomSecret() })
  assert.match(
    lost ?? '',
    /^broken database: .*secret that is missing here\. \| It may be in .*secrets\.json, .* Append it to SECRETS/,
  )
  writeFileSync(join(used.DATA_DIR, 'database.id'), 'another\n')
  const [another] = await complaints(used)
  assert.match(another ?? '', /^broken database: The database is not the one .* \| Restore/)
  const file = join(used.DATA_DIR, 'my-app.sqlite')
  writeFileSync(file, '')
  const [empty] = await complaints(used)
  assert.match(empty ?? '', /^broken database: The database is empty, not the one .* \| Restore/)
  rmSync(file)
  const [missing] = await complaints(used)
  assert.match(missing ?? '', /^broken database: .* is missing.* \| npm run restore/)
})

test('finds pending migrations if the start does not apply them', async (t) => {
  const file = join(folder(t), 'empty.sqlite')
  writeFileSync(file, '')
  const DATABASE_URL = `sqlite:${file}`
  assert.deepEqual(await complaints({ DATABASE_URL }), [])
  const [found] = await complaints({ DATABASE_URL, MIGRATE: 'off' })
  assert.match(found ?? '', /^broken database: The database lacks migrations .* \| npm run migrate/)
})

test('finds overwritten pages with --deep', async (t) => {
  const used = await usedFolder(t)
  const path = join(used.DATA_DIR, 'my-app.sqlite')
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(8192, 7), 0, 8192, Math.floor(statSync(path).size / 8192) * 4096)
  closeSync(file)
  const [found] = await complaints(used, { deep: true })
  assert.match(found ?? '', /^broken database: .* damaged/)
})

test('finds a silent PostgreSQL, without its password', async () => {
  const [found] = await complaints({ DATABASE_URL: 'postgres://ada:geheim@127.0.0.1:1/none' })
  assert.match(found ?? '', /^broken database: .*ECONNREFUSED.* \| Start its server, or correct/)
  assert.doesNotMatch(found ?? '', /geheim/)
})

test('finds a mail server that is down, lacks STARTTLS or refuses the password', async (t) => {
  const mail = await startMailServer(
    {},
    { disabledCommands: ['STARTTLS'], onAuth: (_auth, _session, done) => done(new Error('no')) },
  )
  t.after(() => mail.stop())
  const of = async (SMTP_URL: string) =>
    (await complaints({ SMTP_URL })).find((line) => line.includes(' mail: '))
  assert.equal(await of(mail.uri), undefined)
  assert.match((await of(`smtp://127.0.0.1:${mail.port}`)) ?? '', /STARTTLS.*disable_starttls/)
  const withPassword = mail.uri.replace('://', '://ada:geheim@')
  assert.match((await of(withPassword)) ?? '', /^broken mail: SMTP_URL: 127\.0\.0\.1:\d+ failed/)
  assert.doesNotMatch((await of(withPassword)) ?? '', /geheim/)
  assert.match((await of('smtp://127.0.0.1:1')) ?? '', /ECONNREFUSED/)
})

test('finds a foreign PUBLIC_URL and a wrong clock', async (t) => {
  const SMTP_URL = 'off'
  const other = await startServer(t, 200, { welcome: 'to nginx' })
  const found = await complaints({ PUBLIC_URL: other, SMTP_URL })
  assert.match(found.join('\n'), /broken public url: .* answers, but not as this app does/)
  const silent = await complaints({ PUBLIC_URL: `http://localhost:${await freePort()}`, SMTP_URL })
  assert.match(silent.join('\n'), /warning public url: .* does not answer/)
  const tls = await startMailServer({}, { secure: true })
  t.after(() => tls.stop())
  assert.match(
    (await complaints({ PUBLIC_URL: `https://localhost:${tls.port}`, SMTP_URL })).join('\n'),
    /does not trust the certificate of https:.* \| .*NODE_EXTRA_CA_CERTS/,
  )
  const PUBLIC_URL = await startServer(t, 200, { status: 'ok' })
  const later = () => new Date(Date.now() + 120_000)
  assert.match(
    (await complaints({ PUBLIC_URL, SMTP_URL }, { now: later })).join('\n'),
    /12\d seconds ahead of/,
  )
})

test('finds an identity service that is down, foreign or without keys', async (t) => {
  const of = async (IDENTITY_URL: string) => (await complaints({ IDENTITY_URL })).join('\n')
  assert.match(
    await of(`http://127.0.0.1:${await freePort()}`),
    /broken identity: IDENTITY_URL does not answer \(.*ECONNREFUSED/,
  )
  assert.match(await of(await startServer(t, 200, {})), /answers whoami with status 200 instead of 401/)
  assert.match(
    await of(await startServer(t, 401, {})),
    /keys of user_jwt cannot be read .* \| Set IDENTITY_JWKS_URL/,
  )
})

test('finds a provider that is down, is none, or does not know the client', async (t) => {
  const client = { OIDC_CLIENT_ID: 'app', OIDC_CLIENT_SECRET: 'geheim' }
  const of = async (OIDC_ISSUER_URL: string) => (await complaints({ ...client, OIDC_ISSUER_URL })).join('\n')
  assert.match(await of(`http://127.0.0.1:${await freePort()}`), /broken providers: .* does not answer/)
  assert.match(await of(await startServer(t, 404, {})), /is no OpenID Connect provider \(status 404\)/)
  for (const [error, expected] of [
    ['invalid_client', /does not know the client\. \| Compare/],
    ['invalid_grant', /^$/],
  ] as const) {
    const token_endpoint = await startServer(t, 400, { error })
    const found = await of(await startServer(t, 200, { token_endpoint }))
    assert.match(found, expected)
    assert.doesNotMatch(found, /geheim/)
  }
})
