import assert from 'node:assert/strict'
import { nodeOf } from '../../../src/testing/answers.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, type Merge, merge, VERIFIED_ONLY } from '../../kit/kit.ts'
import { formOf, signInWith, withAcme } from '../../servers/oidc-kit.ts'

const ADA = 'ada@example.com'
const MENTIONED = { feature_flags: { legacy_continue_with_verification_ui: true } }
const WITHOUT_HOOKS = {
  security: { account_enumeration: { mitigate: true } },
  selfservice: { flows: { registration: { after: { password: { hooks: [] } } } } },
}

type Action = { readonly action: string }

test('feature_flags.legacy_continue_with_verification_ui mentions the page without the hook', async () => {
  const actionsWith = async (more: Merge) => {
    const identity = await createTestIdentity(merge(VERIFIED_ONLY, merge(WITHOUT_HOOKS, more)))
    const app = await identity.app().register(ADA)
    const taken = await identity.app().register(ADA)
    const script = await identity.browser().register('eve@example.com')
    return [app, taken, script].map(({ body }) =>
      (body.continue_with as Action[] | null)?.map(({ action }) => action),
    )
  }
  const mentioned = ['show_verification_ui']
  assert.deepEqual(await actionsWith(MENTIONED), [
    mentioned,
    mentioned,
    ['redirect_browser_to', ...mentioned],
  ])
  assert.deepEqual(await actionsWith({}), [undefined, undefined, ['redirect_browser_to']])
})

test('feature_flags.legacy_oidc_registration_node_group puts missing traits into the group oidc', async () => {
  const groupWith = async (overrides: object) => {
    const { identity, acme } = await withAcme(overrides)
    const browser = identity.browser()
    const form = await formOf(browser, await signInWith(browser, acme, { sub: 'no-mail', name: 'Ada' }))
    assert.equal(nodeOf(form, 'traits.name')?.value, 'Ada')
    return form.body.ui.nodes
      .filter(({ attributes }) => 'name' in attributes && attributes.name.startsWith('traits.'))
      .map(({ group }) => group)
  }
  const flag = { feature_flags: { legacy_oidc_registration_node_group: true } }
  assert.deepEqual(new Set(await groupWith(flag)), new Set(['oidc']))
  assert.deepEqual(new Set(await groupWith({})), new Set(['default']))
})
