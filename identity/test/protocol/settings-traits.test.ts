import assert from 'node:assert/strict'
import { nodeOf, tokenOf } from '../answers.ts'
import { PASSWORD } from '../clients.ts'
import { test } from '../databases.ts'
import { createTestIdentity, userSchema } from '../kit.ts'

// Traits other than an address and a name.

const ADA = 'ada@example.com'

test('a trait that users cannot edit stays when the browser does not send it', async () => {
  const browser = await signedInWith({ plan: { type: 'string', disableFormField: true } }, { plan: 'gold' })
  const flow = await browser.open('settings')
  assert.equal(nodeOf(flow, 'traits.plan')?.disabled, true)
  const form = {
    csrf_token: String(tokenOf(flow)),
    method: 'profile',
    'traits.email': ADA,
    'traits.name': 'Ada',
  }
  await browser.post(flow.body.ui.action, form)
  assert.deepEqual((await browser.whoami()).body.identity.traits, { email: ADA, name: 'Ada', plan: 'gold' })
})

test('a list among the traits has a field for each of its items', async () => {
  const tags = { type: 'array', title: 'Tags', items: { type: 'string' } }
  const browser = await signedInWith({ tags }, { tags: ['red'] })
  const flow = await browser.open('settings')
  assert.equal(nodeOf(flow, 'traits.tags')?.value, undefined)
  assert.equal(nodeOf(flow, 'traits.tags.0')?.value, 'red')
  const saved = await browser.submit(flow, {
    method: 'profile',
    traits: { email: ADA, tags: ['blue', 'round'] },
  })
  assert.deepEqual(
    ['traits.tags.0', 'traits.tags.1'].map((name) => nodeOf(saved, name)?.value),
    ['blue', 'round'],
  )
})

/** Ada, whose traits are an address, a name and these. */
async function signedInWith(more: object, traits: object) {
  const known = userSchema.properties.traits
  const properties = { ...known.properties, ...more }
  const schema = { ...userSchema, properties: { traits: { ...known, properties } } }
  const identity = await createTestIdentity({ identity: { schemas: [{ id: 'default', schema }] } })
  await identity.admin('POST', '/admin/identities', {
    traits: { email: ADA, ...traits },
    credentials: { password: { config: { password: PASSWORD } } },
  })
  const browser = identity.browser()
  await browser.signIn(ADA)
  return browser
}
