import { expect, test } from 'vitest'
import { createQueryClient } from './query-client.ts'
import { RequestFailed } from './request.ts'

const { queries, mutations } = createQueryClient().getDefaultOptions()
const retry = queries?.retry as (failures: number, error: Error) => boolean
const retryDelay = queries?.retryDelay as (failures: number) => number

test('a query is tried three times more, pausing from one second up to thirty', () => {
  expect([0, 1, 2, 3].map((failures) => retry(failures, new Error('down')))).toEqual([
    true,
    true,
    true,
    false,
  ])
  expect([0, 1, 2, 4, 5, 9].map((failures) => retryDelay(failures))).toEqual([
    1000, 2000, 4000, 16_000, 30_000, 30_000,
  ])
})

test('a request that the server refused is not repeated', () => {
  expect(retry(0, new RequestFailed('no', 404))).toBe(false)
  expect(retry(0, new RequestFailed('down', 502))).toBe(true)
})

test('a mutation is never repeated, and unused entries go after five minutes', () => {
  expect([mutations?.retry, queries?.gcTime]).toEqual([0, 300_000])
})
