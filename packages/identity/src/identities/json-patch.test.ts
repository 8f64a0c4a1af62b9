import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyPatch } from './json-patch.ts'

const document = { traits: { email: 'ada@example.com' }, list: [1, 2] }

test('adds, replaces and removes members without changing the input', () => {
  const after = applyPatch(document, [
    { op: 'add', path: '/traits/name', value: 'Ada' },
    { op: 'replace', path: '/list/0', value: 7 },
    { op: 'add', path: '/list/-', value: 3 },
    { op: 'remove', path: '/traits/email' },
  ])
  assert.deepEqual(after, { traits: { name: 'Ada' }, list: [7, 2, 3] })
  assert.deepEqual(document, { traits: { email: 'ada@example.com' }, list: [1, 2] })
})

test('ignores what precedes the first slash', () => {
  const operations = [{ op: 'replace', path: 'any/traits/email', value: 'a@b.example' }] as const
  assert.deepEqual(applyPatch({ traits: {} }, operations), { traits: { email: 'a@b.example' } })
  assert.deepEqual(applyPatch({ traits: {} }, [{ op: 'add', path: 'traits/email', value: 1 }]), {
    traits: {},
    email: 1,
  })
})

test('creates missing members and parents on replace', () => {
  assert.deepEqual(applyPatch({ metadata: null }, [{ op: 'replace', path: '/metadata/a~1b/c', value: 1 }]), {
    metadata: { 'a/b': { c: 1 } },
  })
})

test('rejects an invalid path', () => {
  for (const path of [
    '',
    'traits',
    '/traits/none',
    '/traits/email/x',
    '/list/2',
    '/list/01',
    '/__proto__/x',
  ]) {
    assert.throws(() => applyPatch(document, [{ op: 'remove', path }]), RangeError, path)
  }
  assert.throws(() => applyPatch(document, [{ op: 'add', path: '/list/9', value: 1 }]), RangeError)
  assert.throws(() => applyPatch({}, [{ op: 'add', path: '/__proto__/polluted', value: 1 }]), RangeError)
})
