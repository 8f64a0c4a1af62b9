import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { NodeGroup, UiNode } from '../wire/node.ts'
import { messages } from './messages.ts'
import { csrfNode, hidden, input, nodeName, submit } from './nodes.ts'
import { sortLogin, sortRegistration, sortSettings } from './sort.ts'

const CSRF = csrfNode('token')
const IDENTIFIER = input('default', 'identifier', 'text', { value: '' })
const PASSWORD = input('password', 'password', 'password')
const SIGN_IN = submit('password', 'password', messages.loginPassword)
const SEND_CODE = submit('code', 'code', messages.loginSendCode)
const EMAIL = input('default', 'traits.email', 'email')
const NAME = input('default', 'traits.name', 'text')
const SCHEMA = ['traits.email', 'traits.name']

function provider(id: string): UiNode {
  return submit('oidc', id, messages.loginWith(id, id), 'provider')
}

function names(nodes: readonly UiNode[]): string[] {
  return nodes.map((node) => {
    const value =
      node.type === 'input' && node.attributes.type === 'submit' ? `=${node.attributes.value}` : ''
    return `${node.group}/${nodeName(node)}${value}`
  })
}

test('a login form shows providers, identifier, password', () => {
  const nodes = [PASSWORD, SIGN_IN, IDENTIFIER, provider('google'), provider('github'), CSRF]
  assert.deepEqual(names(sortLogin(nodes)), [
    'oidc/provider=github',
    'oidc/provider=google',
    'default/csrf_token',
    'default/identifier',
    'password/password',
    'password/method=password',
  ])
})

test('the empty token of an app comes before a field without a value', () => {
  const nodes = [input('default', 'traits', 'text'), csrfNode('')]
  assert.deepEqual(names(sortSettings(nodes, SCHEMA)), ['default/csrf_token', 'default/traits'])
})

test('the code button follows the identifier', () => {
  assert.deepEqual(names(sortLogin([IDENTIFIER, PASSWORD, SIGN_IN, SEND_CODE, CSRF])), [
    'default/csrf_token',
    'default/identifier',
    'code/method=code',
    'password/password',
    'password/method=password',
  ])
})

test('an unknown group comes first, as on the first screen of identifier_first', () => {
  const nodes = [
    CSRF,
    submit('identifier_first', 'identifier_first', messages.continueLabel),
    input('identifier_first', 'identifier', 'text', { value: '' }),
  ]
  assert.deepEqual(names(sortLogin(nodes)), [
    'identifier_first/identifier',
    'identifier_first/method=identifier_first',
    'default/csrf_token',
  ])
})

test('a registration form shows the password after the email', () => {
  const nodes = [EMAIL, NAME, PASSWORD, submit('password', 'password', messages.registrationSubmit), CSRF]
  assert.deepEqual(names(sortRegistration(nodes, SCHEMA)), [
    'default/csrf_token',
    'default/traits.email',
    'password/password',
    'default/traits.name',
    'password/method=password',
  ])
})

test('the password stays behind the traits', () => {
  const nodes = [
    CSRF,
    EMAIL,
    NAME,
    PASSWORD,
    submit('password', 'password', messages.registrationSubmit),
    SEND_CODE,
  ]
  assert.deepEqual(names(sortRegistration(nodes, SCHEMA)), [
    'default/csrf_token',
    'default/traits.email',
    'default/traits.name',
    'code/method=code',
    'password/password',
    'password/method=password',
  ])
})

test("a code's field comes before its buttons", () => {
  const nodes = [
    hidden('code', 'method', 'code'),
    input('code', 'code', 'text', { required: true }),
    submit('code', 'code', messages.continueLabel),
    submit('code', 'code', messages.resendCode, 'resend'),
    CSRF,
  ]
  assert.deepEqual(names(sortRegistration(nodes, SCHEMA)), [
    'default/csrf_token',
    'code/code',
    'code/resend=code',
    'code/method',
    'code/method=code',
  ])
})

test('the settings show the profile before the password', () => {
  const nodes = [
    submit('password', 'password', messages.saveLabel),
    PASSWORD,
    submit('profile', 'profile', messages.saveLabel),
    input('profile', 'traits.name', 'text'),
    input('profile', 'traits.email', 'email'),
    submit('oidc', 'github', messages.linkProvider('GitHub'), 'link'),
    input('passkey', 'passkey_register_trigger', 'button', { value: '' }),
    submit('passkey', '0a', messages.passkeyRemove('phone', '2031-04-02T10:15:00Z'), 'passkey_remove'),
    CSRF,
  ]
  assert.deepEqual(names(sortSettings(nodes, SCHEMA)), [
    'default/csrf_token',
    'profile/traits.email',
    'profile/traits.name',
    'profile/method=profile',
    'password/password',
    'password/method=password',
    'oidc/link=github',
    'passkey/passkey_remove=0a',
    'passkey/passkey_register_trigger',
  ])
})

test('the password of a long form stays behind the button of another method', () => {
  const letters = [...'abcdefghijklmnop']
  const nodes = [
    SIGN_IN,
    PASSWORD,
    SEND_CODE,
    ...letters.toReversed().map((letter) => input('default', `traits.${letter}`, 'text')),
    CSRF,
  ]
  const sorted = sortRegistration(
    nodes,
    letters.map((letter) => `traits.${letter}`),
  )
  assert.equal(
    names(sorted)
      .map((name) => name.replace('default/', '').replace('traits.', ''))
      .join(' '),
    'csrf_token a b c d e f g h i j k l m n o p code/method=code password/password password/method=password',
  )
})

const group = fc.constantFrom<NodeGroup>('default', 'password', 'code', 'oidc', 'profile', 'identifier_first')
const name = fc.constantFrom(
  'csrf_token',
  'identifier',
  'password',
  'method',
  'traits.email',
  'traits.name',
  'x',
)
const node = fc
  .tuple(group, name, fc.integer({ min: 0, max: 3 }))
  .map(([group, name, value]) => input(group, name, 'text', { value }))

test('no field is lost or doubled', () => {
  fc.assert(
    fc.property(fc.array(node, { maxLength: 70 }), (nodes) => {
      const identity = (a: UiNode[]) => new Map(a.map((each) => [each, a.filter((b) => b === each).length]))
      assert.deepEqual(identity(sortLogin(nodes)), identity(nodes))
    }),
  )
})

test("fields that compare as equal keep the strategies' order", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 70 }), (keys) => {
      const nodes = keys.map((key) => hidden('totp', `traits.${key}`))
      const expected = nodes.toSorted((a, b) => nodeName(a).localeCompare(nodeName(b)))
      const schema = [0, 1, 2, 3, 4].map((key) => `traits.${key}`)
      assert.ok(sortRegistration(nodes, schema).every((each, index) => each === expected[index]))
    }),
  )
})
