import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { until } from '@ostiary/identity/testing/kit/until'
import { randomSecret } from '../../test/product.ts'
import { freePorts, startMain, untilUp } from '../../test/running-server.ts'

const { PORT, ADMIN_PORT } = await freePorts()

test('DRAIN_MS keeps serving while the server reports that it stops', async () => {
  const { child, exit } = await startInProduction({ DRAIN_MS: '5000' })
  const told = performance.now()
  await beginToStop(child)
  while (performance.now() - told < 1000) {
    assert.equal((await fetch(`http://127.0.0.1:${PORT}/.ory/self-service/login/api`)).status, 200)
    await delay(50)
  }
  assert.equal(await exit, 0)
  assert.ok(performance.now() - told >= 4990)
})

test('a second signal stops the server at once', async () => {
  const { child, exit } = await startInProduction({})
  await beginToStop(child)
  child.kill('SIGTERM')
  assert.equal(await exit, 1)
})

test('SEC-43 production warns once without TRUSTED_PROXIES, and logs its stop', async () => {
  const silent = await startInProduction({ TRUSTED_PROXIES: '0', DRAIN_MS: '0' })
  await stopped(silent)
  const telling = await startInProduction({ DRAIN_MS: '0' })
  await stopped(telling)
  assert.match(telling.output.stdout, /"message":"stopping","drain_ms":0\}\n.*"message":"stopped"\}\n$/)
  assert.doesNotMatch(silent.output.stdout, /TRUSTED_PROXIES/)
  assert.equal(
    telling.output.stdout.match(/TRUSTED_PROXIES is not set: X-Forwarded-For is ignored/g)?.length,
    1,
  )
})

test("FLT-15 each port closes an address's connections beyond its limit", async () => {
  const server = await startInProduction({ MAX_CONNECTIONS_PER_ADDRESS: '3', DRAIN_MS: '0' })
  for (const port of [PORT, ADMIN_PORT]) {
    const sockets = Array.from({ length: 4 }, () => connect(Number(port), '127.0.0.1').on('error', () => {}))
    for (const socket of sockets) socket.resume()
    await until(() => sockets.some(({ destroyed }) => destroyed))
    for (const socket of sockets) socket.destroy()
  }
  await stopped(server)
})

test('migrate and backup need only the settings of their data', async (t) => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'my-app-migrate-'))
  t.after(() => rmSync(DATA_DIR, { recursive: true }))
  const env = { NODE_ENV: 'production', DATA_DIR }
  const migrated = startMain(env, ['migrate'])
  assert.equal(await migrated.exit, 0, migrated.output.stderr)
  const backedUp = startMain({ ...env, BACKUP_PASSPHRASE: 'x'.repeat(12) }, ['backup', join(DATA_DIR, 'x')])
  assert.equal(await backedUp.exit, 1)
  assert.match(backedUp.output.stderr, /^SECRETS is missing\. .*\n$/)
})

type Server = Awaited<ReturnType<typeof startInProduction>>

async function startInProduction(env: Record<string, string>) {
  const server = startMain({
    PORT,
    ADMIN_PORT,
    DATABASE_URL: 'memory:',
    NODE_ENV: 'production',
    PUBLIC_URL: `http://localhost:${PORT}`,
    SECRETS: randomSecret(),
    SMTP_URL: 'off',
    LISTEN_HOST: '127.0.0.1',
    ...env,
  })
  await untilUp(server.child)
  return server
}

async function stopped({ child, exit }: Server): Promise<void> {
  child.kill('SIGTERM')
  assert.equal(await exit, 0)
}

/** Waits for the log line, which the server writes before it closes its port. */
async function beginToStop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  while ((await fetch(`http://127.0.0.1:${PORT}/health/ready`)).status !== 503) await delay(10)
}
