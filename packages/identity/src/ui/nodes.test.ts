import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messages } from './messages.ts'
import {
  anchor,
  csrfNode,
  hidden,
  image,
  input,
  nodeName,
  script,
  submit,
  text,
  withMessages,
  withValue,
} from './nodes.ts'

const LABEL = { id: 1070001, text: 'Password', type: 'info' }

test("a field has the protocol's attributes, and no empty ones", () => {
  const node = input('password', 'password', 'password', {
    required: true,
    autocomplete: 'current-password',
    label: messages.inputPassword,
    pattern: undefined,
  })
  assert.deepEqual(node, {
    type: 'input',
    group: 'password',
    attributes: {
      name: 'password',
      type: 'password',
      required: true,
      autocomplete: 'current-password',
      disabled: false,
      node_type: 'input',
    },
    messages: [],
    meta: { label: LABEL },
  })
})

test('an empty text and false are values', () => {
  assert.equal(input('default', 'identifier', 'text', { value: '' }).attributes.value, '')
  assert.equal(input('default', 'traits.terms', 'checkbox', { value: false }).attributes.value, false)
  assert.ok(!('value' in hidden('passkey', 'passkey_login').attributes))
})

test('a field says whether it is disabled, and required if it is', () => {
  const node = input('default', 'traits.name', 'text', { required: false })
  assert.deepEqual(node.attributes, {
    name: 'traits.name',
    type: 'text',
    disabled: false,
    node_type: 'input',
  })
  assert.equal(input('default', 'traits.name', 'text', { disabled: true }).attributes.disabled, true)
})

test('a button names its function', () => {
  const node = input('passkey', 'passkey_login_trigger', 'button', {
    value: '',
    onclickTrigger: 'oryPasskeyLogin',
    onclick: undefined,
  })
  assert.deepEqual(node.attributes, {
    name: 'passkey_login_trigger',
    type: 'button',
    value: '',
    disabled: false,
    onclickTrigger: 'oryPasskeyLogin',
    node_type: 'input',
  })
})

test('a native app gets an empty CSRF field', () => {
  assert.deepEqual(csrfNode(''), {
    type: 'input',
    group: 'default',
    attributes: {
      name: 'csrf_token',
      type: 'hidden',
      value: '',
      required: true,
      disabled: false,
      node_type: 'input',
    },
    messages: [],
    meta: {},
  })
})

test('a button names the method unless it names something else', () => {
  assert.deepEqual(submit('code', 'code', messages.continueLabel).attributes, {
    name: 'method',
    type: 'submit',
    value: 'code',
    disabled: false,
    node_type: 'input',
  })
  assert.equal(
    nodeName(submit('oidc', 'github', messages.loginWith('GitHub', 'github'), 'provider')),
    'provider',
  )
})

test('a link has its title twice', () => {
  const title = { id: 1070009, text: messages.continueLabel.text, type: 'info' }
  assert.deepEqual(anchor('code', 'continue', 'https://app.example.com/', messages.continueLabel), {
    type: 'a',
    group: 'code',
    attributes: { href: 'https://app.example.com/', title, id: 'continue', node_type: 'a' },
    messages: [],
    meta: { label: title },
  })
})

test('images, texts and scripts have an id instead of a name', () => {
  const picture = image('totp', 'totp_qr', { src: 'data:,', width: 256, height: 256 }, messages.totpQrCode)
  const secret = text('totp', 'totp_secret_key', messages.totpSecret('ABC'), messages.totpSecretLabel)
  const code = script('webauthn', 'webauthn_script', { src: '/s.js', integrity: 'sha512-x', nonce: 'n' })
  assert.deepEqual([picture, secret, code].map(nodeName), ['totp_qr', 'totp_secret_key', 'webauthn_script'])
  assert.deepEqual(code.attributes, {
    src: '/s.js',
    async: true,
    referrerpolicy: 'no-referrer',
    crossorigin: 'anonymous',
    integrity: 'sha512-x',
    type: 'text/javascript',
    id: 'webauthn_script',
    nonce: 'n',
    node_type: 'script',
  })
})

test('filling in a value leaves the node unchanged', () => {
  const empty = input('default', 'identifier', 'text', { value: '' })
  const filled = withValue(empty, 'ada')
  assert.ok(filled.type === 'input' && filled.attributes.value === 'ada')
  assert.equal(empty.attributes.value, '')
  const emptied = withValue(filled, undefined)
  assert.ok(!('value' in emptied.attributes))
})

test("a field's messages keep their order", () => {
  const node = withMessages(csrfNode(''), [messages.required('a')])
  const both = withMessages(node, [messages.required('b')])
  assert.deepEqual(
    both.messages.map((message) => message.context),
    [{ property: 'a' }, { property: 'b' }],
  )
  assert.equal(node.messages.length, 1)
})

test('a node cannot be changed', () => {
  const node = submit('code', 'code', messages.continueLabel)
  for (const part of [node, node.attributes, node.messages, node.meta]) assert.ok(Object.isFrozen(part))
})
