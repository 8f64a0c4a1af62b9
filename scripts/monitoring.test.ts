// Checks deploy/ against the exposed metrics.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Catalogue } from '@ostiary/identity/serving'
import { createTestIdentity } from '@ostiary/identity/testing/kit/kit'
import { provide } from '@ostiary/identity/testing/servers/provide'
import { parse, stringify } from 'yaml'
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

test('alerts and panels read exposed metrics only', () => {
  const named = [...rules, ...panels].flatMap(({ where, expr }) => {
    const metrics = metricsIn(expr)
    assert.ok(metrics.length > 0, where)
    return metrics.filter((metric) => !isExposed(metric)).map((metric) => `${where}: ${metric}`)
  })
  assert.deepEqual(named, [])
})

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
    const [metric = ''] = series.split('{')
    assert.ok(isExposed(metric), series)
    const labels = [...series.matchAll(/(\w+)="/g)].map(([, label = '']) => label)
    for (const label of labels.filter((label) => !['job', 'environment', 'instance'].includes(label)))
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

const promtool = provide(() => globSync('/{usr,usr/local}/bin/promtool')[0], 'prometheus') ?? ''
const needsPromtool = { skip: promtool === '' && 'promtool cannot be installed on this machine' }

function accepts(...args: string[]): void {
  const { status, stdout, stderr } = spawnSync(promtool, args, { cwd: root, encoding: 'utf8' })
  assert.equal(status, 0, stdout + stderr)
}

test('each alert fires on its condition', needsPromtool, () => {
  accepts('test', 'rules', 'deploy/alerts.test.yaml')
})

test('Prometheus can evaluate each panel', needsPromtool, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'my-app-panels-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const recorded = panels.map(({ expr }, index) => ({ record: `panel:${index}`, expr }))
  const file = join(folder, 'panels.yaml')
  writeFileSync(file, stringify({ groups: [{ name: 'panels', rules: recorded }] }))
  accepts('check', 'rules', file)
})

/** Words with an underscore, except functions and values of labels. */
function metricsIn(expr: string): string[] {
  return expr.replaceAll(/"[^"]*"/g, '').match(/\b(?:up|[a-z]+_\w+)\b(?! *\()/g) ?? []
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
