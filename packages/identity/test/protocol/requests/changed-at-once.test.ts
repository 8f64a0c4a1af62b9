import assert from 'node:assert/strict'
import { type Answer, nodeOf } from '../../../src/testing/answers.ts'
import type { Browser } from '../../../src/testing/clients.ts'
import { testOnEach } from '../../kit/databases.ts'
import { ADA } from '../../kit/factors.ts'
import { createTestIdentity } from '../../kit/kit.ts'
import { linkTo } from '../../kit/recovery-kit.ts'
import { formOf, GRACE, withAcme } from '../../servers/oidc-kit.ts'

// A double click sends a request twice, and the browser continues with the last answer.

testOnEach('two clicks at once on a provider lead to a sign-in', async () => {
  const { identity, acme } = await withAcme()
  acme.user = GRACE
  const browser = identity.browser()
  const form = await browser.open('login')
  const [last, sent] = await twiceAtOnce(browser, (one) =>
    one.submit(form, { method: 'oidc', provider: 'acme' }),
  )
  await last.navigate(await acme.visit(String(sent.body.redirect_browser_to)))
  assert.equal((await last.whoami()).body.identity?.traits.email, GRACE.email)
})

testOnEach('two clicks at once on a change that needs a recent login carry it out after that', async () => {
  const identity = await createTestIdentity()
  const browser = await identity.signedIn(ADA)
  identity.advance(16 * 60_000)
  const form = await browser.open('settings')
  const values = { method: 'profile', traits: { email: ADA, name: 'Ada' } }
  const password = { method: 'password', password: 'another horse 7 battery' }
  const [last, sent] = await twiceAtOnce(browser, (one) => one.submit(form, { ...values, ...password }))
  assert.equal(sent.status, 403)
  const login = await last.open('login', '?refresh=true')
  assert.equal(
    (await last.submit(login, { method: 'password', identifier: ADA, password: 'correct horse 9 battery' }))
      .status,
    200,
  )
  await last.navigate(form.body.ui.action)
  assert.equal((await identity.browser().signIn(ADA, password.password)).status, 200)
})

testOnEach('an emailed link that is opened twice at once shows its form', async () => {
  const identity = await createTestIdentity()
  await identity.browser().register(ADA)
  const link = await linkTo(identity, ADA)
  const [last, opened] = await twiceAtOnce(identity.browser(), (one) => one.navigate(link))
  const shown = await formOf(last, opened)
  assert.equal(shown.status, 200, JSON.stringify(shown.body))
  assert.ok(nodeOf(shown, 'code')?.value)
})

async function twiceAtOnce(
  browser: Browser,
  send: (browser: Browser) => Promise<Answer>,
): Promise<[Browser, Answer]> {
  const done: [Browser, Answer][] = []
  const sendTwin = async (twin: Browser) => void done.push([twin, await send(twin)])
  await Promise.all([browser.twin(), browser.twin()].map(sendTwin))
  const last = done.at(-1)
  assert.ok(last)
  return last
}
