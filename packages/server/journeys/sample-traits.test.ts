import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleTraits, type TraitSchema } from './sample-traits.ts'

const sampleOf = (trait: TraitSchema) =>
  sampleTraits({ traits: { trait }, requiredTraits: ['email', 'trait'] }, 'ada@example.com').trait

test('each kind of required trait has a sample', () => {
  const samples: [TraitSchema, unknown][] = [
    [{ type: 'string' }, 'Ada Lovelace'],
    [{ type: 'string', maxLength: 3 }, 'Ada'],
    [{ type: 'string', minLength: 14 }, 'Ada Lovelaceee'],
    [{ type: 'string', format: 'tel', pattern: '^\\+\\d+$' }, '+442079460000'],
    [{ type: 'string', enum: ['free', 'team'] }, 'free'],
    [{ type: 'string', pattern: '^[A-Z]{2}$', examples: ['DE'] }, 'DE'],
    [{ type: 'boolean', const: true }, true],
    [{ type: 'number', minimum: 18 }, 18],
    [{ type: 'number', maximum: -2 }, -2],
    [{ type: 'integer', exclusiveMinimum: 3, multipleOf: 5 }, 5],
  ]
  for (const [trait, sample] of samples) assert.equal(sampleOf(trait), sample, JSON.stringify(trait))
})

test('a trait that no sample fits needs examples', () => {
  for (const trait of [
    { type: 'string', pattern: '^[A-Z]{2}$' },
    { type: 'string', format: 'hostname' },
  ])
    assert.throws(() => sampleOf(trait), /the trait trait: add examples/)
})
