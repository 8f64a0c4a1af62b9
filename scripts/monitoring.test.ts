// Checks deploy/ against the exposed metrics.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Catalogue } from '@ostiary/identity/serving'
import { createTestIdentity } from '@ostiary/identity/testing/kit/kit'
import { parser } from '@prometheus-io/lezer-promql'
import { parse } from 'yaml'
import { PRODUCT_METRICS } from '../packages/server/src/http/metrics.ts'
import { root } from './root.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const operations = read('docs/operations.md')

interface Alert {
  readonly alert: string
  readonly expr: string
  readonly for: string
  readonly annotations: { readonly summary: string }
}

interface AlertTest {
  readonly input_series: readonly { readonly series: string }[]
  readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts?: readonly object[] }[]
}

const alerts = (parse(read('deploy/alerts.yaml')) as { groups: { rules: Alert[] }[] }).groups.flatMap(
  ({ rules }) => rules,
)
const dashboard = JSON.parse(read('deploy/grafana-dashboard.json')) as {
  panels: { title: string; targets: { expr: string }[] }[]
}
const panels = dashboard.panels.flatMap(({ title, targets }) =>
  // Grafana replaces its variable.
  targets.map(({ expr }) => ({ where: title, expr: expr.replaceAll('$__rate_interval', '5m') })),
)
const rules = alerts.map(({ alert, expr }) => ({ where: alert, expr }))

const exposed: Catalogue = PRODUCT_METRICS

for (const { where, expr } of [...rules, ...panels]) {
  test(`Prometheus can evaluate "${where}": ${expr.replaceAll(/\s+/g, ' ')}`, () => {
    const { broken, metrics, labels } = analyse(expr)
    assert.deepEqual(broken, [])
    assert.ok(metrics.length > 0)
    for (const metric of metrics) assert.ok(isExposed(metric), `${metric} is not exposed`)
    const known = [
      ...['le', 'instance', 'job', 'environment'],
      ...metrics.flatMap((metric) => exposed[familyOf(metric)]?.labels ?? []),
    ]
    for (const label of labels) assert.ok(known.includes(label), `${label} is no label of ${metrics.join()}`)
  })
}

test('docs/operations.md explains each alert', () => {
  assert.equal(alerts.length, 14)
  for (const { alert } of alerts)
    assert.match(operations, new RegExp(`^\\| \`${alert}\` \\| .+ \\| .+ \\|$`, 'm'))
})

test('each alert fires in deploy/alerts.test.yaml, on series with exposed names and labels', () => {
  const { tests } = parse(read('deploy/alerts.test.yaml')) as { tests: AlertTest[] }
  const fired = tests.flatMap(({ alert_rule_test }) => alert_rule_test.filter(({ exp_alerts }) => exp_alerts))
  assert.deepEqual(
    [...new Set(fired.map(({ alertname }) => alertname))].toSorted(),
    alerts.map(({ alert }) => alert).toSorted(),
  )
  for (const { series } of tests.flatMap(({ input_series }) => input_series)) {
    const { broken, metrics, labels } = analyse(series)
    const [metric = ''] = metrics
    assert.deepEqual(broken, [], series)
    assert.ok(isExposed(metric), series)
    const own = labels.filter((label) => !['job', 'environment', 'instance'].includes(label))
    for (const label of own)
      assert.ok(exposed[familyOf(metric)]?.labels.includes(label), `${label} of ${series}`)
  }
})

test('the alert about statements covers each cause that the service exposes, but for repeated conflicts', async () => {
  const identity = await createTestIdentity()
  const text = await (await identity.adminApp.request('http://127.0.0.1/metrics')).text()
  const causes = [...text.matchAll(/^identity_database_failures_total\{cause="(\w+)"\} \d+$/gm)]
  const named = [
    ...(alerts.find(({ alert }) => alert === 'StatementsFail')?.expr ?? '').matchAll(/cause=~"([^"]+)"/g),
  ]
  assert.deepEqual(
    causes.map(([, cause = '']) => cause).toSorted(),
    ['conflict', ...named.flatMap(([, list = '']) => list.split('|'))].toSorted(),
  )
})

const promtool = (...args: string[]) => spawnSync('promtool', args, { cwd: root, encoding: 'utf8' })

test('each alert fires on its condition', {
  skip: promtool('--version').status === 0 ? false : 'promtool of Prometheus is not installed',
}, () => {
  const { status, stdout, stderr } = promtool('test', 'rules', 'deploy/alerts.test.yaml')
  assert.equal(status, 0, stdout + stderr)
})

test('detects an invalid expression and an unknown metric', () => {
  assert.notDeepEqual(analyse('sum(rate(a[5m]) > 1').broken, [])
  assert.equal(isExposed('identity_sessions_alive'), false)
  assert.equal(isExposed('identity_hash_refusals_total_bucket'), false)
})

function analyse(expr: string) {
  const found = { broken: [] as string[], metrics: [] as string[], labels: [] as string[] }
  parser.parse(expr).iterate({
    enter({ name, from, to, type }) {
      const text = expr.slice(from, to)
      if (type.isError) found.broken.push(`${text} at ${from}`)
      if (name === 'Identifier') found.metrics.push(text)
      if (name === 'LabelName') found.labels.push(text)
    },
  })
  return found
}

function isExposed(metric: string): boolean {
  if (/^(process|nodejs)_|^up$/.test(metric)) return true
  const kind = exposed[familyOf(metric)]?.type
  const isPart = metric !== familyOf(metric)
  return kind !== undefined && isPart === (kind === 'histogram')
}

/** A histogram is three series. */
function familyOf(metric: string): string {
  return metric.replace(/_(bucket|count|sum)$/, '')
}
