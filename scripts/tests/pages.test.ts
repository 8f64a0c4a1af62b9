import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPages } from './pages.ts'

test('what runs at the same time is read one after the other, the first as it comes', () => {
  let read = ''
  const { units, screens, journeys } = openPages(['units', 'screens', 'journeys'], (text) => {
    read += text
  })
  screens.write('A screen. ')
  journeys.write('A journey. ')
  assert.equal(read, '')
  units.write('A unit. ')
  assert.equal(read, 'A unit. ')
  journeys.end()
  units.end()
  assert.equal(read, 'A unit. A screen. ')
  screens.write('Another. ')
  screens.end()
  assert.equal(read, 'A unit. A screen. Another. A journey. ')
})
