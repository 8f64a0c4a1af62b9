import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertCheap } from '../../../test/input/processor-time.ts'
import { FormError } from '../../errors/errors.ts'
import { decodeTraits, readObject, readText } from './decode.ts'
import { compileSchema } from './schema.ts'

const SCHEMA = compileSchema('s', {
  properties: {
    traits: {
      type: 'object',
      properties: {
        email: { type: 'string' },
        age: { type: 'integer' },
        height: { type: 'number' },
        floor: { type: 'integer' },
        terms: { type: 'boolean' },
        news: { type: 'boolean' },
        tags: { type: 'array', items: { type: 'string' } },
        lucky: { type: 'array', items: { type: 'integer' } },
        name: { type: 'object', properties: { first: { type: 'string' }, last: { type: 'string' } } },
      },
      required: ['email', 'floor', 'terms'],
    },
  },
})

function traitsOf(values: Record<string, unknown>) {
  return decodeTraits(SCHEMA, values)
}

function ids(work: () => unknown) {
  try {
    work()
  } catch (error) {
    assert.ok(error instanceof FormError)
    return error.entries.map(({ field, message }) => [field, message.id, message.context])
  }
  return assert.fail('nothing was refused')
}

test("keeps a script's traits as sent", () => {
  const traits = { email: '', age: '7', name: { first: 'Ada' }, shoe_size: 43, tags: ['a', 1, null] }
  assert.deepEqual(traitsOf({ traits }), traits)
})

const FIELDS: [string, unknown, unknown][] = [
  ['email', 'ada@example.com', 'ada@example.com'],
  ['email', 42, '42'],
  ['email', true, 'true'],
  ['email', ['a'], '["a"]'],
  ['email', { a: 1 }, '{"a":1}'],
  ['email', '', undefined],
  ['email', null, undefined],
  ['age', '7', 7],
  ['age', 7, 7],
  ['age', '-7', -7],
  ['age', 'seven', 'seven'],
  ['age', '7.5', 7.5],
  ['age', '1e2', 100],
  ['age', '9007199254740993', '9007199254740993'],
  ['age', '', undefined],
  ['floor', '', 0],
  ['height', '1.75', 1.75],
  ['height', '1e2', 100],
  ['height', '1e999', '1e999'],
  ['height', '0x10', '0x10'],
  ['height', ' 1', ' 1'],
  ['news', 'true', true],
  ['news', '0', false],
  ['news', true, true],
  ['news', ['false', 'true'], true],
  ['news', ['true', 'false'], false],
  ['news', 'perhaps', 'perhaps'],
  ['news', '', undefined],
  ['terms', '', false],
  ['tags', ['a', 'b'], ['a', 'b']],
  ['tags', 'a', ['a']],
  ['tags', '', undefined],
  ['lucky', ['7', '13'], [7, 13]],
]

for (const [name, sent, read] of FIELDS) {
  test(`reads "${name}" filled with ${JSON.stringify(sent)} as ${JSON.stringify(read)}`, () => {
    assert.deepEqual(traitsOf({ [`traits.${name}`]: sent })[name], read)
  })
}

test('merges dotted fields into objects', () => {
  const values = { traits: { email: 'a@b', name: { first: 'Ada' } }, 'traits.name.last': 'Byron' }
  assert.deepEqual(traitsOf(values), { email: 'a@b', name: { first: 'Ada', last: 'Byron' } })
})

test('an absent object is empty, so that its required members are reported', () => {
  assert.deepEqual(traitsOf({}), { name: {} })
  assert.deepEqual(traitsOf({ traits: { name: null } }), { name: {} })
})

test('leaves text in place of an object to validation', () => {
  assert.deepEqual(traitsOf({ traits: { name: 'Ada' }, 'traits.name.last': 'Byron' }), { name: 'Ada' })
})

test('ignores fields outside the schema', () => {
  assert.deepEqual(traitsOf({ 'traits.shoe_size': '43', traits_email: 'a@b' }), { name: {} })
})

test('rejects traits that are not an object', () => {
  const wrong = (actual_type: string) => [['traits', 4000026, { allowed_types: ['object'], actual_type }]]
  assert.deepEqual(
    ids(() => traitsOf({ traits: [] })),
    wrong('array'),
  )
  assert.deepEqual(
    ids(() => traitsOf({ traits: 'ada' })),
    wrong('string'),
  )
  assert.deepEqual(
    ids(() => traitsOf({ traits: 42 })),
    wrong('number'),
  )
})

const TEXTS: [unknown, string | undefined][] = [
  ['ada', 'ada'],
  [' ada ', ' ada '],
  [42, '42'],
  [true, 'true'],
  [['ada@example.com'], '["ada@example.com"]'],
  [{ name: 'somebody' }, '{"name":"somebody"}'],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
]

for (const [sent, read] of TEXTS) {
  test(`SEC-08 reads the identifier ${JSON.stringify(sent)} as ${JSON.stringify(read)}`, () => {
    assert.equal(readText({ identifier: sent }, 'identifier'), read)
  })
}

test('reads nothing from the prototype', () => {
  assert.equal(readText({}, 'identifier'), undefined)
  assert.equal(readText({}, '__proto__'), undefined)
  assert.deepEqual(readObject({}, 'constructor'), {})
})

test('accepts an optional payload as JSON from a form', () => {
  assert.deepEqual(readObject({ transient_payload: { from: 'newsletter' } }, 'transient_payload'), {
    from: 'newsletter',
  })
  assert.deepEqual(readObject({ transient_payload: '{"a":1}' }, 'transient_payload'), { a: 1 })
  for (const none of [{}, { transient_payload: null }, { transient_payload: '' }]) {
    assert.deepEqual(readObject(none, 'transient_payload'), {})
  }
})

test('reports a payload of another type at its field', () => {
  const wrong = (actual_type: string) => [
    ['transient_payload', 4000026, { allowed_types: ['object'], actual_type }],
  ]
  const read = (sent: unknown) => ids(() => readObject({ transient_payload: sent }, 'transient_payload'))
  assert.deepEqual(read([1]), wrong('array'))
  assert.deepEqual(read('[1]'), wrong('array'))
  assert.deepEqual(read('42'), wrong('string'))
  assert.deepEqual(
    read('newsletter').map(([field, id]) => [field, id]),
    [[undefined, 4000001]],
  )
})

test('SEC-41 rejects objects that are too deep or too large', () => {
  const deep = (levels: number): unknown => (levels === 1 ? {} : { a: deep(levels - 1) })
  const wide = (members: number) =>
    Object.fromEntries(Array.from({ length: members }, (_, i) => [`k${i}`, 1]))
  assert.doesNotThrow(() => traitsOf({ traits: deep(8) }))
  assert.doesNotThrow(() => traitsOf({ traits: wide(200) }))
  for (const traits of [deep(9), wide(201), { a: wide(150), b: wide(150) }, { a: Array(201).fill(1) }]) {
    assert.deepEqual(ids(() => traitsOf({ traits }))[0]!.slice(0, 2), ['traits', 4000001])
  }
})

test('SEC-41 rejects a nesting bomb cheaply', async () => {
  const bomb = JSON.parse(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`)
  await assertCheap('a body of nested members', () => ids(() => traitsOf({ traits: bomb })))
  await assertCheap('a name of nested members', () =>
    traitsOf({ [`traits${'.a'.repeat(10_000)}`]: 'x', 'traits.name.__proto__.polluted': 'x' }),
  )
})

test('SEC-41 lets no member name reach a prototype', () => {
  const evil = ['__proto__', 'constructor.prototype', 'name.__proto__', 'name.constructor.prototype']
  for (const path of evil)
    traitsOf({ [`traits.${path}.polluted`]: 'x', [`traits.${path}`]: '{"polluted":1}' })
  traitsOf({ traits: { constructor: { prototype: { polluted: 'x' } } } })
  ids(() => traitsOf({ traits: JSON.parse('{"__proto__":{"polluted":"x"}}') }))
  ids(() => traitsOf({ traits: '{"name":{"__proto__":{"polluted":"x"}}}' }))
  assert.ok(!('polluted' in {}))
})

test('SEC-41 keeps traits plain data', () => {
  const key = fc.oneof(
    fc.constantFrom(
      '__proto__',
      'constructor',
      'prototype',
      'traits',
      'traits.email',
      'traits.name',
      'traits.name.first',
    ),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.dictionary(key, fc.jsonValue({ maxDepth: 4 })), (values) => {
      const before = Object.getOwnPropertyNames(Object.prototype).length
      try {
        const traits = decodeTraits(SCHEMA, values)
        assert.equal(Object.getPrototypeOf(traits), Object.prototype)
        assert.deepEqual(JSON.parse(JSON.stringify(traits)), traits)
      } catch (error) {
        assert.ok(error instanceof FormError)
      }
      assert.equal(Object.getOwnPropertyNames(Object.prototype).length, before)
    }),
  )
})
