import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ENVIRONMENTS } from '@ostiary/identity/testing/input/environments'
import { freePorts, startMain, untilUp } from '../../test/running-server.ts'
import { readSettings } from '../../test/settings.ts'

const { misspellings: _, ...defaults } = readSettings({})

for (const [where, environment] of Object.entries(ENVIRONMENTS)) {
  test(`variables of ${where} change no setting`, () => {
    const { misspellings, ...settings } = readSettings(environment)
    assert.deepEqual(settings, defaults)
    if (where !== 'tools of a developer') assert.deepEqual(misspellings, [])
  })
}

test('hosting services choose port, mode and database', () => {
  const { port, production, database_url } = readSettings({
    ...ENVIRONMENTS['Heroku, Render, Fly and Railway'],
    DATABASE_URL: 'postgres://ada:secret@db.example:5432/app',
    NODE_ENV: 'production',
    PORT: '10000',
    PUBLIC_URL: 'https://app.example',
    SECRETS: 'k3Jf8sLq0ZxW7vB2hN5tR9yU4pA6cD1e',
    SMTP_URL: 'off',
  })
  assert.deepEqual(
    [port, production, database_url],
    [10_000, true, 'postgres://ada:secret@db.example:5432/app'],
  )
})

test('a server starts with all these variables and names the near misses', async () => {
  const { ADMIN_PORT, PORT } = await freePorts()
  const { ADMIN_PORT: _link, ...links } = ENVIRONMENTS.Kubernetes ?? {}
  const foreign = Object.assign(
    {},
    ...Object.values({ ...ENVIRONMENTS, Kubernetes: links }),
  ) as NodeJS.ProcessEnv
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'my-app-environment-'))
  const { child, output, exit } = startMain({ ...foreign, ADMIN_PORT, PORT, DATA_DIR })
  await untilUp(child)
  assert.equal((await fetch(`http://localhost:${PORT}/health/ready`)).status, 200)
  child.kill('SIGTERM')
  assert.equal(await exit, 0, output.stderr)
  const warned = [...output.stdout.matchAll(/(\w+) is not a setting\. Did you mean (\w+)\?/g)]
  assert.deepEqual(
    warned.map(([, name, meant]) => `${name} ${meant}`),
    [
      'ADMIN_ID ADMIN_UI',
      'EMAIL_FROM MAIL_FROM',
      'LOGLEVEL LOG_LEVEL',
      'SECRET SECRETS',
      'SMTP_SSL SMTP_URL',
    ],
  )
})
