import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FieldMessage } from '../../errors/errors.ts'
import { compileSchema, compileSchemas, schemaUrl } from './schema.ts'

function schemaOf(properties: object, more: object = {}) {
  return { type: 'object', properties: { traits: { type: 'object', properties, ...more } } }
}

function told(entries: readonly FieldMessage[]) {
  return entries.map(({ field, message }) => [field, message.id, message.context])
}

function toldAbout(definition: object, value: unknown) {
  return told(compileSchema('s', schemaOf({ x: definition })).validate({ x: value })).map(
    ([field, id, context]) => {
      assert.equal(field, 'traits.x')
      return [id, context]
    },
  )
}

const REASON = Symbol('a reason in our words')

/** A keyword, a value that breaks it, and the message that clients know. */
const KEYWORDS: [string, object, unknown, number, object | typeof REASON | undefined][] = [
  ['minLength', { minLength: 3 }, 'ab', 4000003, { min_length: 3, actual_length: 2 }],
  ['maxLength', { maxLength: 2 }, 'abc', 4000017, { max_length: 2, actual_length: 3 }],
  ['pattern', { pattern: '^a$' }, 'b', 4000004, { pattern: '^a$' }],
  ['minimum', { minimum: 18 }, 17, 4000018, { minimum: 18, actual: 17 }],
  ['exclusiveMinimum', { exclusiveMinimum: 18 }, 18, 4000019, { minimum: 18, actual: 18 }],
  ['maximum', { maximum: 99 }, 100, 4000020, { maximum: 99, actual: 100 }],
  ['exclusiveMaximum', { exclusiveMaximum: 99 }, 99, 4000021, { maximum: 99, actual: 99 }],
  ['multipleOf', { multipleOf: 5 }, 7, 4000022, { base: 5, actual: 7 }],
  ['maxItems', { maxItems: 1 }, [1, 2], 4000023, { max_items: 1, actual_items: 2 }],
  ['minItems', { minItems: 1 }, [], 4000024, { min_items: 1, actual_items: 0 }],
  ['uniqueItems', { uniqueItems: true }, ['a', 'b', 'b'], 4000025, { index_a: 1, index_b: 2 }],
  ['type', { type: 'string' }, 42, 4000026, { allowed_types: ['string'], actual_type: 'number' }],
  [
    'several types',
    { type: ['string', 'null'] },
    [],
    4000026,
    { allowed_types: ['string', 'null'], actual_type: 'array' },
  ],
  ['const with a text', { const: 'yes' }, 'no', 4000029, { expected: '"yes"' }],
  ['const with a boolean', { const: true }, false, 4000029, { expected: 'true' }],
  ['const with a list', { const: [1] }, [2], 4000030, undefined],
  ['format email', { format: 'email' }, 'nope', 4000040, { value: 'nope' }],
  ['format tel', { format: 'tel' }, '12', 4000041, { value: '12' }],
  ['format date', { format: 'date' }, 'yesterday', 4000001, REASON],
  ['format date-time', { format: 'date-time' }, '2031-04-02', 4000001, REASON],
  ['format uri', { format: 'uri' }, 'example', 4000001, REASON],
  ['an empty address', { format: 'email' }, '', 4000001, REASON],
  ['an empty phone number', { format: 'tel' }, '', 4000001, REASON],
  ['enum', { enum: ['red', 'green'] }, 'blue', 4000001, REASON],
  ['not', { not: { const: 1 } }, 1, 4000001, REASON],
  ['an ambiguous oneOf', { oneOf: [{ type: 'string' }, { minLength: 1 }] }, 'a', 4000001, REASON],
]

for (const [name, definition, value, id, context] of KEYWORDS) {
  test(`reports a violation of ${name} once, at its field`, () => {
    const [[gotId, gotContext], ...more] = toldAbout(definition, value) as [[number, object]]
    assert.equal(gotId, id)
    assert.deepEqual(more, [])
    if (context === REASON) assert.deepEqual(Object.keys(gotContext), ['reason'])
    else assert.deepEqual(gotContext, context)
  })
}

test('reports all errors together, also inside objects', () => {
  const schema = compileSchema(
    's',
    schemaOf(
      {
        email: { type: 'string', format: 'email' },
        name: { type: 'object', properties: { first: { type: 'string', maxLength: 3 } }, required: ['last'] },
      },
      { required: ['email', 'terms'] },
    ),
  )
  assert.deepEqual(told(schema.validate({ email: 'nope', name: { first: 'Augusta' } })).toSorted(), [
    ['traits.email', 4000040, { value: 'nope' }],
    ['traits.name.first', 4000017, { max_length: 3, actual_length: 7 }],
    ['traits.name.last', 4000002, { property: 'last' }],
    ['traits.terms', 4000002, { property: 'terms' }],
  ])
})

test('reports a wrong type as that only', () => {
  const definition = { type: 'string', const: 'x', enum: ['x'], minLength: 3, format: 'email' }
  assert.deepEqual(toldAbout(definition, 42), [
    [4000026, { allowed_types: ['string'], actual_type: 'number' }],
  ])
})

test('reports a value that matches no alternative with the errors of each', () => {
  const definition = { anyOf: [{ type: 'string', minLength: 3 }, { type: 'null' }] }
  assert.deepEqual(toldAbout(definition, 'a'), [
    [4000003, { min_length: 3, actual_length: 1 }],
    [4000026, { allowed_types: ['null'], actual_type: 'string' }],
  ])
})

test('reports an unknown trait once, at its object', () => {
  const schema = compileSchema('s', schemaOf({ email: {} }, { additionalProperties: false }))
  const [entry, ...more] = schema.validate({ shoe_size: 43, hat: 58 })
  assert.deepEqual([entry!.field, entry!.message.id, more], ['traits', 4000001, []])
})

test('reports traits that are not an object as a whole', () => {
  const schema = compileSchema('s', schemaOf({ email: {} }))
  assert.deepEqual(told(schema.validate([])), [
    ['traits', 4000026, { allowed_types: ['object'], actual_type: 'array' }],
  ])
})

test('counts two UTF-16 code units of a character as one', () => {
  assert.deepEqual(toldAbout({ maxLength: 2 }, '𝒜𝒷'), [])
  assert.deepEqual(toldAbout({ minLength: 3 }, '𝒜𝒷'), [[4000003, { min_length: 3, actual_length: 2 }]])
})

test('rejects an address longer than mail servers must accept', () => {
  const long = `${'x'.repeat(330)}@example.com`
  assert.deepEqual(toldAbout({ format: 'email', maxLength: 320 }, long), [
    [4000040, { value: long }],
    [4000017, { max_length: 320, actual_length: 342 }],
  ])
  assert.deepEqual(toldAbout({ format: 'email' }, long), [[4000040, { value: long }]])
})

test('validates an address to verify even without a format', () => {
  const verification = { 'ory.sh/kratos': { verification: { via: 'email' } } }
  assert.deepEqual(toldAbout({ type: 'string', ...verification }, 'nope'), [[4000040, { value: 'nope' }]])
  assert.deepEqual(toldAbout({ type: 'string', format: 'no-validate', ...verification }, 'nope'), [])
  const list = { type: 'array', items: { type: 'string', ...verification } }
  const schema = compileSchema('s', schemaOf({ others: list }))
  assert.deepEqual(told(schema.validate({ others: ['a@example.com', 'nope'] })), [
    ['traits.others.1', 4000040, { value: 'nope' }],
  ])
})

test('a required trait called constructor may be missing', () => {
  const schema = compileSchema('s', schemaOf({ constructor: {} }, { required: ['constructor'] }))
  assert.deepEqual(told(schema.validate({})), [['traits.constructor', 4000002, { property: 'constructor' }]])
})

test('traits keep the order of the file', () => {
  const raw = schemaOf(
    {
      username: { type: 'string', title: 'User name', pattern: '^[a-z]+$' },
      name: {
        type: 'object',
        properties: { first: { type: 'string' }, last: { type: 'string' } },
        required: ['last'],
      },
      age: { type: 'integer', disableFormField: true },
      tags: { type: 'array', items: { type: 'number' } },
      pets: { type: 'array', items: { type: 'object', properties: { name: {} } } },
      plan: { type: 'string', enum: ['free', 2, null] },
    },
    { required: ['username'] },
  )
  const { leaves, objects } = compileSchema('s', raw)
  assert.deepEqual(
    leaves.map(({ path, types, required }) => [path, types, required]),
    [
      ['traits.username', ['string'], true],
      ['traits.name.first', ['string'], false],
      ['traits.name.last', ['string'], true],
      ['traits.age', ['integer'], false],
      ['traits.tags', ['array'], false],
      ['traits.plan', ['string'], false],
    ],
  )
  assert.deepEqual([leaves[0]!.title, leaves[0]!.pattern], ['User name', '^[a-z]+$'])
  assert.equal(leaves[3]!.disabled, true)
  assert.deepEqual(leaves[4]!.item_types, ['number'])
  assert.deepEqual(leaves[5]!.options, [{ value: 'free' }, { value: 2 }])
  assert.deepEqual(objects, [['traits'], ['traits', 'name']])
})

test('a trait under a condition is required only if it holds', () => {
  const schema = compileSchema(
    's',
    schemaOf(
      { size: { enum: ['s', 'm'] }, kind: { const: 'yes' } },
      {
        if: { not: { required: ['size'] } },
        else: { properties: { why: { type: 'string' } }, required: ['why'] },
      },
    ),
  )
  assert.deepEqual(
    schema.leaves.map(({ path, types, required }) => [path, types, required]),
    [
      ['traits.size', [], false],
      ['traits.kind', ['string'], false],
      ['traits.why', ['string'], false],
    ],
  )
  assert.deepEqual(told(schema.validate({ size: 's' })), [['traits.why', 4000002, { property: 'why' }]])
})

test('a list of identifiers does not name the sign-in field', () => {
  const mark = { type: 'string', 'ory.sh/kratos': { credentials: { password: { identifier: true } } } }
  const { leaves } = compileSchema('s', schemaOf({ emails: { type: 'array', items: mark }, username: mark }))
  assert.deepEqual(
    leaves.map(({ path, identifies }) => [path, identifies]),
    [
      ['traits.emails', false],
      ['traits.username', true],
    ],
  )
})

test('ignores a format unknown to JSON Schema', () => {
  for (const format of ['uuid', 'url', 'duration', 'int32'])
    assert.deepEqual(toldAbout({ format }, 'any text'), [])
})

test('a trait may be defined elsewhere in the file', () => {
  const raw = {
    definitions: {
      mail: { type: 'string', title: 'E-mail', 'ory.sh/kratos': { verification: { via: 'email' } } },
    },
    properties: { traits: { type: 'object', properties: { a: { $ref: '#/definitions/mail' } } } },
  }
  const schema = compileSchema('s', raw)
  assert.deepEqual([schema.leaves[0]!.path, schema.leaves[0]!.title], ['traits.a', 'E-mail'])
  assert.deepEqual(told(schema.validate({ a: 'nope' })), [['traits.a', 4000040, { value: 'nope' }]])
  assert.ok(!JSON.stringify(schema.raw).includes('format'), 'the file is shown as it was written')
})

const via = (via: string) => ({ 'ory.sh/kratos': { verification: { via } } })
const BROKEN: [string, unknown, RegExp][] = [
  ['no traits', { type: 'object' }, /properties\.traits/],
  ['no property', { properties: { traits: { type: 'object' } } }, /at least one property/],
  [
    'an unknown member of the keyword',
    schemaOf({ a: { 'ory.sh/kratos': { verify: {} } } }),
    /traits\.a.*verify/s,
  ],
  ['an unknown channel', schemaOf({ a: via('post') }), /traits\.a/],
  ['a phone to verify without format', schemaOf({ a: via('sms') }), /traits\.a.*format/],
  [
    'a format that cannot be verified',
    schemaOf({ a: { format: 'uri', ...via('email') } }),
    /traits\.a.*format/,
  ],
  ['an unknown type', schemaOf({ a: { type: 'bool' } }), /\.a\.type must be one of [a-z, ]+$/],
  ['a reference to nothing', schemaOf({ a: { $ref: '#/definitions/a' } }), /#\/definitions\/a/],
  ['a reference to another file', schemaOf({ a: { $ref: 'https://example.com/a' } }), /within the schema/],
  ['a reference to itself', schemaOf({ a: { $ref: '#/properties/traits/properties/a' } }), /recursive/],
  [
    'a trait called __proto__',
    JSON.parse('{"properties":{"traits":{"properties":{"__proto__":{}}}}}'),
    /__proto__/,
  ],
]

for (const [name, raw, message] of BROKEN) {
  test(`refuses a schema with ${name} and names its place`, () => {
    assert.throws(() => compileSchema('person', raw), { name: 'ConfigError', message })
    assert.throws(() => compileSchema('person', raw), { message: /schema "person"/ })
  })
}

test('two schemas may have the same $id', () => {
  const raw = (definition: object) => ({ $id: 'https://example.com/a.json', ...schemaOf({ a: definition }) })
  assert.throws(() => compileSchema('a', raw({ type: 'text' })))
  assert.deepEqual(told(compileSchema('a', raw({ minLength: 2 })).validate({ a: 'x' }))[0]![1], 4000003)
  assert.deepEqual(told(compileSchema('b', raw({ maxLength: 2 })).validate({ a: 'xxx' }))[0]![1], 4000017)
})

test('finds a schema by id and by the last segment of its URL', () => {
  const schema = schemaOf({ a: {} })
  const schemas = compileSchemas(
    [
      { id: 'default', schema },
      { id: 'staff', schema },
    ],
    'default',
  )
  assert.equal(schemas.default.id, 'default')
  assert.equal(schemaUrl('http://127.0.0.1:4433/', 'staff'), 'http://127.0.0.1:4433/schemas/c3RhZmY')
  assert.equal(schemas.findInUrl('c3RhZmY')?.id, 'staff')
  assert.equal(schemas.findInUrl('staff')?.id, 'staff')
  assert.equal(schemas.find('c3RhZmY'), undefined)
  assert.throws(() => compileSchemas([{ id: 'a', schema }], 'b'), { message: /default_schema_id/ })
})

test('refuses a schema that contains itself', () => {
  const circular: Record<string, unknown> = { type: 'object' }
  circular.properties = { traits: circular }
  assert.throws(() => compileSchema('loop', circular), /schema "loop": /)
})
