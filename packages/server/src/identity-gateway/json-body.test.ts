import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rewriteJson } from './json-body.ts'

const theirs = 'https://id.example.test/self-service/x'
const rewrite = (address: string) => address.replace('https://id.example.test', 'https://app.example/.ory')

function rewritten(body: unknown): unknown {
  return JSON.parse(rewriteJson(JSON.stringify(body), rewrite))
}

const bodies: Record<string, (address: string) => unknown> = {
  'the form of a flow': (address) => ({
    request_url: address,
    return_to: address,
    ui: { action: address, nodes: [] },
  }),
  'the nodes of a form': (address) => ({
    ui: { nodes: [{ attributes: { src: address } }, { attributes: { href: address } }, { attributes: {} }] },
  }),
  'a logout': (address) => ({ logout_url: address, logout_token: 't' }),
  'a way on elsewhere': (address) => ({
    error: { details: { redirect_to: address } },
    redirect_browser_to: address,
  }),
  'what comes next': (address) => ({
    continue_with: [
      { action: 'show_verification_ui', flow: { id: '1', url: address } },
      { action: 'redirect_browser_to', redirect_browser_to: address },
    ],
  }),
  'what comes next after a refusal': (address) => ({
    error: { details: { continue_with: [{ flow: { url: address } }] } },
  }),
  'a session': (address) => ({ identity: { schema_url: address } }),
  sessions: (address) => [{ identity: { schema_url: address } }, { identity: null }],
}
for (const [name, body] of Object.entries(bodies)) {
  test(`${name}: its URLs become ours`, () => {
    assert.deepEqual(rewritten(body(theirs)), body(rewrite(theirs)))
  })
}

test('keeps user input that looks like a URL', () => {
  const entered = {
    identity: { traits: { website: theirs, request_url: theirs }, metadata_public: { url: theirs } },
    ui: { nodes: [{ attributes: { name: 'traits.website', value: theirs } }], messages: [{ text: theirs }] },
    transient_payload: { return_to: theirs },
  }
  assert.deepEqual(rewritten(entered), entered)
})

test('no body causes an error or pollutes a prototype', () => {
  for (const text of [
    'null',
    '1',
    '"x"',
    '[]',
    '{"ui":1}',
    '{"ui":{"nodes":{"a":null}}}',
    '{"__proto__":{"ui":{}}}',
  ])
    assert.equal(
      rewriteJson(text, () => 'changed'),
      text,
    )
})
