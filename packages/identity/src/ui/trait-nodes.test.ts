import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TraitLeaf } from './trait-nodes.ts'
import { identifierLabel, traitNodes } from './trait-nodes.ts'

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

test('the field for an email is labelled with the title in the schema', () => {
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
  test(`${what} is asked for in a field of type ${type}`, () => {
    const attributes = attributesOf('x', more)
    assert.deepEqual([attributes.type, attributes.autocomplete], [type, autocomplete])
  })
}

test('a field has the attributes that the schema names, and no others', () => {
  const attributes = attributesOf('username', { pattern: '^[a-z]+$', disabled: true })
  assert.deepEqual(
    [attributes.pattern, attributes.disabled, 'required' in attributes],
    ['^[a-z]+$', true, false],
  )
  assert.deepEqual(traitNodes({ leaves: [leaf('username')] })[0]!.meta, {})
})

test('fields have the order of the schema; traits of several types or none have no field', () => {
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

test('the identifier field is labelled like the only trait that users sign in with', () => {
  const email = leaf('email', { title: 'E-Mail', identifies: true })
  assert.deepEqual(identifierLabel({ leaves: [leaf('name', { title: 'Name' }), email] }).context, {
    title: 'E-Mail',
    name: 'traits.email',
  })
})

test('the identifier field has a general label if there are several such traits, none, or no title', () => {
  const email = leaf('email', { title: 'E-Mail', identifies: true })
  for (const leaves of [
    [email, leaf('phone', { title: 'Phone', identifies: true })],
    [],
    [leaf('x', { identifies: true })],
  ]) {
    assert.equal(identifierLabel({ leaves }).id, 1070004)
  }
})
