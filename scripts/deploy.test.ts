import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sampleTraits } from '@my-app/identity/testing/kit/sample-traits'
import { until } from '@my-app/identity/testing/kit/until'
import { startMailServer } from '@my-app/identity/testing/servers/mail-server'
import { parse, parseAllDocuments } from 'yaml'
import product from '../app/server.ts'
import { describeSettings } from '../packages/server/src/settings/env.ts'
import { freePorts, startMain, untilUp } from '../packages/server/test/running-server.ts'
import { readSettings } from '../packages/server/test/settings.ts'
import { root } from './child.mjs'

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

test("the compose file meets production's requirements without privileges", () => {
  const { app } = services
  assert.equal(app.deploy.replicas, 2)
  assert.deepEqual([app.read_only, app.cap_drop], [true, ['ALL']])
  assert.deepEqual(Object.keys(services).sort(), ['app', 'database', 'mail', 'proxy'])
  const { production, smtp_url, trusted_proxies } = readSettings({ ...replica, NODE_ENV: 'production' })
  assert.deepEqual([production, smtp_url, trusted_proxies], [true, replica.SMTP_URL, '1'])
})

/** Without a cluster or its schemas: names, ports, paths and settings only. */
test('the Kubernetes manifests fit each other and the server', () => {
  const documents = ['migrate', 'my-app'].flatMap((name) =>
    parseAllDocuments(read(`deploy/kubernetes/${name}.yaml`)).map((one) => one.toJS()),
  )
  const of = (kind: string) => documents.find((one) => one.kind === kind)
  const { template, selector } = of('Deployment').spec
  const [container] = template.spec.containers
  const given = { ...of('ConfigMap').data, SECRETS, SMTP_URL: 'off', ADMIN_TOKEN: SECRETS }
  const settings = readSettings({ ...given, DATABASE_URL: 'postgres://db/app', NODE_ENV: 'production' })
  assert.equal(settings.migrates, false)
  assert.deepEqual(
    container.ports.map((one: { containerPort: number }) => one.containerPort),
    [settings.port, settings.admin_port],
  )
  assert.deepEqual(
    [container.livenessProbe, container.readinessProbe].map(({ httpGet }) => httpGet),
    ['/health/alive', '/health/ready'].map((path) => ({ path, port: 'http' })),
  )
  assert.ok(template.spec.terminationGracePeriodSeconds * 1000 > settings.drain_ms + 7_000)
  const names = container.ports.map((one: { name: string }) => one.name)
  const { ports } = of('Service').spec
  for (const { targetPort } of ports) assert.ok(names.includes(targetPort))
  const [{ port, path, authorization }] = of('ServiceMonitor').spec.endpoints
  assert.ok(ports.some((one: { name: string }) => one.name === port))
  assert.deepEqual([path, authorization.credentials.key], ['/metrics', 'ADMIN_TOKEN'])
  for (const labels of [
    selector.matchLabels,
    of('Service').spec.selector,
    of('PodDisruptionBudget').spec.selector.matchLabels,
  ])
    assert.deepEqual(labels, template.metadata.labels)
  assert.deepEqual(of('ServiceMonitor').spec.selector.matchLabels, of('Service').metadata.labels)
  const [job] = of('Job').spec.template.spec.containers
  assert.deepEqual(job.args, ['migrate'])
  assert.deepEqual(job.envFrom, container.envFrom)
  const references = container.envFrom.flatMap((one: object) => Object.values(one))
  for (const { name } of references) assert.equal(name, of('ConfigMap').metadata.name)
})

test('deployment files name existing settings', () => {
  const names = [
    ...Object.keys(replica),
    ...Object.keys(parseAllDocuments(read('deploy/kubernetes/migrate.yaml'))[0]?.toJS().data),
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
