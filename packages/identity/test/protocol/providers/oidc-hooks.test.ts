import assert from 'node:assert/strict'
import { test } from '../../kit/databases.ts'
import { configured, refusal } from '../../servers/hook-kit.ts'
import { startHookReceiver } from '../../servers/hook-receiver.ts'
import { GRACE, leave, signInWith, withAcme } from '../../servers/oidc-kit.ts'

async function withHookedAcme() {
  const receiver = await startHookReceiver()
  const hooks = (...paths: string[]) => ({ hooks: paths.map((path) => configured(receiver, { path })) })
  const interrupting = configured(receiver, { path: '/registration/before', can_interrupt: true })
  const registered = [{ hook: 'session' }, configured(receiver, { path: '/registration/after' })]
  const flows = {
    login: { before: hooks('/login/before'), after: { oidc: hooks('/login/after') } },
    registration: { before: { hooks: [interrupting] }, after: { oidc: { hooks: registered } } },
  }
  const started = await withAcme({ flows })
  return { ...started, receiver, called: () => receiver.calls.splice(0).map(({ path }) => path) }
}

test('runs web hooks before a sign-in becomes a registration', async () => {
  const { identity, acme, receiver, called } = await withHookedAcme()
  receiver.answers.set('/registration/before', refusal('#/traits/email'))
  const browser = identity.browser()
  await signInWith(browser, acme, GRACE)
  assert.deepEqual(called(), ['/login/before', '/registration/before'])
  assert.equal((await browser.whoami()).status, 401)
  receiver.answers.clear()
  await signInWith(browser, acme, GRACE)
  assert.deepEqual(called(), ['/login/before', '/registration/before', '/registration/after'])
  assert.equal((await browser.whoami()).status, 200)
})

test('runs web hooks before a registration becomes a sign-in', async () => {
  const { identity, acme, called } = await withHookedAcme()
  await signInWith(identity.browser(), acme, GRACE)
  called()
  const browser = identity.browser()
  await signInWith(browser, acme, GRACE, { kind: 'registration' })
  assert.deepEqual(called(), ['/registration/before', '/login/before', '/login/after'])
})

test("web hooks get the form's payload", async () => {
  const { identity, acme, receiver } = await withHookedAcme()
  await signInWith(identity.browser(), acme, GRACE)
  const browser = identity.browser()
  const there = await leave(browser, await browser.open('login'), 'acme', {
    transient_payload: { campaign: 'spring' },
  })
  await browser.navigate(await acme.visit(there))
  assert.deepEqual(receiver.calls.at(-1)?.body.flow.transient_payload, { campaign: 'spring' })
})
