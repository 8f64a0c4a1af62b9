import { expect, test } from 'vitest'
import { byLabel, parseMetrics, total } from './metrics.ts'

const metrics = parseMetrics(`# HELP limits_total Attempts that a limit rejected
# TYPE limits_total counter
limits_total{limit="password.account"} 3
limits_total{limit="mail.client",more="a \\"b\\", {c}"} 7
limits_total{limit="code.account"} 0
process_start_time_seconds 1767225600.5
`)

test('metrics are summed over their labels; a missing one is not zero', () => {
  expect(total(metrics, 'limits_total')).toBe(10)
  expect(total(metrics, 'process_start_time_seconds')).toBe(1767225600.5)
  expect(total(metrics, 'sessions_live')).toBeUndefined()
})

test('the limits that were reached most come first', () => {
  expect(byLabel(metrics, 'limits_total', 'limit')).toEqual([
    ['mail.client', 7],
    ['password.account', 3],
  ])
})
