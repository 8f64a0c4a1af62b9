import assert from 'node:assert/strict'
import { test } from 'node:test'
import { identifierLabel, type TraitLeaf, traitNodes } from './trait-nodes.ts'

function leaf(path: string, more: Partial<TraitLeaf> = {}): TraitLeaf {
  return {
    path: `traits.${path}`,
    types: ['string'],
    required: false,
    disabled: false,
    identifies: false,
    ...more,
  }
}

function attributesOf(path: string, more: Partial<TraitLeaf>) {
  return traitNodes({ leaves: [leaf(path, more)] })[0]!.attributes
}

test("an email field has the schema's title", () => {
  const leaves = [leaf('email', { format: 'email', title: 'E-Mail', required: true })]
  assert.deepEqual(traitNodes({ leaves }), [
    {
      type: 'input',
      group: 'default',
      attributes: {
        name: 'traits.email',
        type: 'email',
        required: true,
        autocomplete: 'email',
        disabled: false,
        node_type: 'input',
      },
      messages: [],
      meta: {
        label: {
          id: 1070002,
          text: 'E-Mail',
          type: 'info',
          context: { title: 'E-Mail', name: 'traits.email' },
        },
      },
    },
  ])
})

test('a field of an enumeration lists its values', () => {
  const options = [{ value: 'free' }, { value: 'team' }]
  assert.deepEqual(attributesOf('plan', { options }), {
    name: 'traits.plan',
    type: 'text',
    disabled: false,
    options,
    node_type: 'input',
  })
})

const KINDS: [string, Partial<TraitLeaf>, string, string | undefined][] = [
  ['a text', {}, 'text', undefined],
  ['a number', { types: ['number'] }, 'number', undefined],
  ['an integer', { types: ['integer'] }, 'number', undefined],
  ['a boolean', { types: ['boolean'] }, 'checkbox', undefined],
  ['a list', { types: ['array'] }, 'text', undefined],
  ['an e-mail', { format: 'email' }, 'email', 'email'],
  ['a phone number', { format: 'tel' }, 'tel', 'tel'],
  ['a web address', { format: 'uri' }, 'url', 'url'],
  ['a date', { format: 'date' }, 'date', undefined],
  ['a moment', { format: 'date-time' }, 'datetime-local', undefined],
  ['a format that forms do not know', { format: 'regex' }, 'text', undefined],
  ['a format with the name of a method', { format: 'toString' }, 'text', undefined],
]

for (const [what, more, type, autocomplete] of KINDS) {
  test(`asks for ${what} in a field of type ${type}`, () => {
    const attributes = attributesOf('x', more)
    assert.deepEqual([attributes.type, attributes.autocomplete], [type, autocomplete])
  })
}

test("a field has the schema's attributes", () => {
  const attributes = attributesOf('username', { pattern: '^[a-z]+$', disabled: true })
  assert.deepEqual(
    [attributes.pattern, attributes.disabled, 'required' in attributes],
    ['^[a-z]+$', true, false],
  )
  assert.deepEqual(traitNodes({ leaves: [leaf('username')] })[0]!.meta, {})
})

test("fields keep the schema's order; traits of several types or none have no field", () => {
  const leaves = [
    leaf('b'),
    leaf('a', { types: ['string', 'number'] }),
    leaf('c', { types: [] }),
    leaf('name.first'),
  ]
  const nodes = traitNodes({ leaves }, 'profile')
  assert.deepEqual(
    nodes.map((node) => [node.attributes.name, node.group]),
    [
      ['traits.b', 'profile'],
      ['traits.name.first', 'profile'],
    ],
  )
})

test('the identifier field is labelled like the only identifying trait', () => {
  const email = leaf('email', { title: 'E-Mail', identifies: true })
  assert.deepEqual(identifierLabel({ leaves: [leaf('name', { title: 'Name' }), email] }).context, {
    title: 'E-Mail',
    name: 'traits.email',
  })
})

test('the identifier field has a general label otherwise', () => {
  const email = leaf('email', { title: 'E-Mail', identifies: true })
  for (const leaves of [
    [email, leaf('phone', { title: 'Phone', identifies: true })],
    [],
    [leaf('x', { identifies: true })],
  ]) {
    assert.equal(identifierLabel({ leaves }).id, 1070004)
  }
})
