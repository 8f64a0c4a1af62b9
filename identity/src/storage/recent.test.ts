import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRecent } from './recent.ts'

interface Row {
  readonly name: string
  readonly state: string | null
}

/** Counts how often a value is made. */
function counted(most: number) {
  const recent = createRecent<Row, { readonly names: string }>(most)
  let made = 0
  const make = (rows: readonly Row[]) => {
    made += 1
    return { names: rows.map(({ name, state }) => `${name}${state}`).join() }
  }
  return { reuse: (key: string, rows: readonly Row[]) => recent.reuse(key, rows, make), made: () => made }
}

test('the same rows give the same value, which is made once', () => {
  const { reuse, made } = counted(10)
  const first = reuse('a', [{ name: 'x', state: null }])
  assert.equal(reuse('a', [{ name: 'x', state: null }]), first)
  assert.equal(made(), 1)
})

test('every change of a row, and every row that comes or goes, gives a new value', () => {
  const { reuse } = counted(10)
  const versions = [
    [{ name: 'x', state: null }],
    [{ name: 'x', state: 'on' }],
    [{ name: 'y', state: 'on' }],
    [
      { name: 'y', state: 'on' },
      { name: 'z', state: null },
    ],
    [{ name: 'z', state: null }],
    [],
    [{ name: 'z', state: null }],
  ]
  for (const rows of versions)
    assert.equal(reuse('a', rows).names, rows.map(({ name, state }) => `${name}${state}`).join())
})

test('the least recently used value is dropped, and unknown keys drop none', () => {
  const { reuse, made } = counted(2)
  const ask = (key: string) => reuse(key, [{ name: key, state: null }])
  ask('a')
  ask('b')
  ask('a')
  ask('c')
  for (let n = 0; n < 10; n += 1) reuse(`unknown ${n}`, [])
  const before = made()
  ask('a')
  ask('c')
  assert.equal(made(), before)
  ask('b')
  assert.equal(made(), before + 1)
})
