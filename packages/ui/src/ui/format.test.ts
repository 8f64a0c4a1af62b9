import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => vi.unstubAllEnvs())

async function inZone(zone: string) {
  vi.stubEnv('TZ', zone)
  vi.resetModules()
  return { ...(await import('./format.tsx')), ...(await import('./locale.ts')) }
}

test.each(['Pacific/Honolulu', 'Pacific/Auckland'])(
  'a day without a time is the same in %s',
  async (zone) => {
    const { formatDay, formatDayOfMonth } = await inZone(zone)
    expect(new Date('1990-03-14').getTimezoneOffset()).not.toBe(0)
    expect(formatDay('1990-03-14')).toBe('Mar 14, 1990')
    expect(formatDayOfMonth('1990-03-14')).toBe('Mar 14')
  },
)

test('text other than a date is left unchanged', async () => {
  const { formatDay } = await inZone('UTC')
  expect(formatDay('soon')).toBe('soon')
})

test('an email of today has its time in a list, and an older one its day', async () => {
  const { formatTimeOrDay } = await inZone('UTC')
  expect(formatTimeOrDay(new Date().toISOString())).toMatch(/^\d+:\d\d\s[AP]M$/)
  expect(formatTimeOrDay('2026-01-02T10:00:00.000Z')).toBe('Jan 2, 2026')
})
