import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '@ostiary/identity/testing/kit/until'
import { freePort } from '@ostiary/identity/testing/servers/free-port'
import { startMailServer } from '@ostiary/identity/testing/servers/mail-server'
import { provide } from '@ostiary/identity/testing/servers/provide'
import { sampleTraits } from '@ostiary/server/testing/sample-traits'
import { parse, parseAllDocuments } from 'yaml'
import product from '../app/server.ts'
import { describeSettings } from '../packages/server/src/settings/report.ts'
import { freePorts, startMain, untilUp } from '../packages/server/test/running-server.ts'
import { readSettings } from '../packages/server/test/settings.ts'
import { root } from './root.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const { services } = parse(read('deploy/compose.yaml'))
const SECRETS = 'vT8qk2Zr0mXw4LhB7nYc1PdS9uJf5GaE'

/** `deploy/.env` holds only the secret. */
const replica: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(services.app.environment as Record<string, string>).map(([name, value]) => [
    name,
    value.replace(/\$\{\w+:-(.*)\}/, '$1').replace(/\$\{SECRETS:\?.*\}/, SECRETS),
  ]),
)

const [configMap] = parseAllDocuments(read('deploy/kubernetes/migrate.yaml')).map((one) => one.toJS())

test("the settings of deploy/ meet production's requirements", () => {
  const { production, smtp_url, trusted_proxies } = readSettings({ ...replica, NODE_ENV: 'production' })
  assert.deepEqual([production, smtp_url, trusted_proxies], [true, replica.SMTP_URL, '1'])
  const secrets = { SECRETS, SMTP_URL: 'off', ADMIN_TOKEN: SECRETS, DATABASE_URL: 'postgres://db/app' }
  assert.equal(readSettings({ ...configMap.data, ...secrets, NODE_ENV: 'production' }).migrates, false)
})

const nginx = read('deploy/nginx.conf')
const program = provide(() => globSync('/usr/sbin/nginx')[0], 'nginx-light')

test('nginx serves the example and hides a replica that is gone', {
  skip: program === undefined ? 'nginx cannot be installed on this machine' : false,
}, async (t) => {
  const seen: IncomingHttpHeaders[] = []
  const replica = createServer(({ headers }, response) => {
    seen.push(headers)
    response.end('ok')
  }).listen(0, '127.0.0.1')
  t.after(() => replica.close())
  await once(replica, 'listening')
  const { port } = replica.address() as AddressInfo
  const proxy = await startNginx(program ?? '', [port, await freePort()])
  t.after(proxy.stop)
  const forged = { 'X-Forwarded-For': '1.2.3.4', 'X-Request-Id': 'forged', traceparent: 'forged' }
  for (let turn = 0; turn < 4; turn += 1) {
    const answer = await fetch(proxy.url, { method: 'POST', body: 'a=b', headers: forged })
    assert.equal(answer.status, 200)
  }
  for (const headers of seen) {
    assert.equal(headers['x-forwarded-for'], '127.0.0.1')
    assert.match(`${headers['x-request-id']}`, /^[\da-f]{32}$/)
    assert.equal(headers.traceparent, undefined)
    assert.equal(headers.host, new URL(proxy.url).host)
  }
  proxy.stop()
})

/** Without the certificate, which is the operator's. */
async function startNginx(path: string, replicas: readonly number[]) {
  const folder = mkdtempSync(join(tmpdir(), 'my-app-nginx-'))
  const port = await freePort()
  const [, main = ''] = /(server \{\n {2}listen 443[\s\S]*)/.exec(nginx) ?? []
  const upstream = nginx
    .slice(0, nginx.indexOf('server {'))
    .replaceAll(
      /server 10\.0\.0\.1(\d):3000/g,
      (_, n: string) => `server 127.0.0.1:${replicas[Number(n) - 1]}`,
    )
  const site = main
    .replaceAll(/^ *(listen \[|ssl_).*\n/gm, '')
    .replace('listen 443 ssl http2', `listen 127.0.0.1:${port}`)
  const logs = `error_log ${folder}/error.log; pid ${folder}/pid; daemon off; master_process off;`
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder};`,
  )
  const http = `events {}\nhttp { access_log off; ${paths.join(' ')}\n${upstream}\n${site}\n}\n`
  writeFileSync(join(folder, 'nginx.conf'), `${logs}\n${http}`)
  const child = spawn(path, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')])
  let printed = ''
  child.stderr.on('data', (text) => (printed += text))
  const url = `http://127.0.0.1:${port}/`
  await until(async () => {
    assert.equal(child.exitCode, null, printed)
    return await fetch(url).then(
      () => true,
      () => false,
    )
  })
  return {
    url,
    stop() {
      child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

test('deployment files name existing settings', () => {
  const names = [
    ...Object.keys(replica),
    ...Object.keys(configMap.data),
    ...[...read('Dockerfile').matchAll(/^(?:ENV| {3}) (\w+)=/gm)].map(([, name]) => name),
    ...[...read('deploy/my-app.service').matchAll(/^Environment=(.*)$/gm)].flatMap(([, pairs = '']) =>
      pairs.split(' ').map((pair) => pair.split('=')[0]),
    ),
  ]
  // Node's own.
  const known = [
    'NODE_COMPILE_CACHE',
    ...describeSettings(product)
      .matchAll(/^ {2}(\w+)/gm)
      .map(([, name]) => name),
  ]
  assert.ok(names.includes('DATA_DIR') && names.includes('NODE_ENV'))
  assert.deepEqual(
    names.filter((name) => !known.includes(name)),
    [],
  )
})

test('a replica emails a code through the mail catcher', async (t) => {
  const mail = await startMailServer({}, { disabledCommands: ['STARTTLS', 'AUTH'] })
  t.after(mail.stop)
  const { PORT, ADMIN_PORT } = await freePorts()
  const { child, exit } = startMain({
    ...replica,
    ...{ PORT, ADMIN_PORT, NODE_ENV: 'production', DRAIN_MS: '0' },
    PUBLIC_URL: `http://localhost:${PORT}`,
    DATABASE_URL: 'memory:',
    SMTP_URL: (replica.SMTP_URL ?? '').replace('//mail:1025', `//127.0.0.1:${mail.port}`),
  })
  await untilUp(child)
  const opened = await fetch(`http://localhost:${PORT}/.ory/self-service/registration/api`)
  const { ui } = (await opened.json()) as { ui: { action: string } }
  const registration = {
    method: 'password',
    password: 'a long password',
    traits: sampleTraits(product.config, 'ada@example.com'),
  }
  const answer = await fetch(ui.action, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(registration),
  })
  assert.equal(answer.status, 200)
  await until(() => mail.received.length > 0)
  assert.equal(mail.received[0]?.to, 'ada@example.com')
  child.kill('SIGTERM')
  assert.equal(await exit, 0)
})
