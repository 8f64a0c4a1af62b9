import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageIds, nodeOf } from '../../../src/testing/answers.ts'
import { Authenticator, optionsIn } from '../../../src/testing/authenticator.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, merge, SHARED_LIMITS, VERIFIED_ONLY } from '../../kit/kit.ts'
import { PASSKEYS, register } from '../../kit/passkeys.ts'
import { ADA, EVE, linkTo } from '../../kit/recovery-kit.ts'
import { STRANGERS, shapeOf } from '../../kit/stranger.ts'

const HIDING = { ...VERIFIED_ONLY, security: { account_enumeration: { mitigate: true } } }

for (const [client, stranger] of Object.entries(STRANGERS)) {
  test(`SEC-13 an unverified address's password in ${client} looks wrong`, async () => {
    const identity = await createTestIdentity(HIDING)
    await identity.user(EVE)
    const shapes = []
    for (const email of [ADA, EVE]) {
      // By the attacker, for both; the second is taken.
      await identity.browser().register(email, 'planted horse 5 battery')
      for (const password of ['planted horse 5 battery', 'not this one at all']) {
        const one = stranger(identity)
        const values = { method: 'password', identifier: email, password }
        await one.submit(await one.open('login'), values)
        shapes.push(one.seen.map((answer) => shapeOf(answer, email)))
        await sleep(30)
      }
    }
    for (const shape of shapes) assert.deepEqual(shape, shapes[0])
    assert.match(
      JSON.stringify(shapes[0]),
      /Incorrect email or password, or this address isn’t verified yet\./,
    )
  })
}

for (const [client, stranger] of Object.entries(STRANGERS)) {
  test(`SEC-13 an unverified address's passkey in ${client} looks unknown`, async () => {
    const identity = await createTestIdentity(merge(HIDING, PASSKEYS))
    await identity.user(EVE)
    const seen = []
    for (const email of [ADA, EVE]) {
      // By the attacker, for both; the second is taken.
      const key = new Authenticator()
      await register(identity.browser(), key, email)
      const one = stranger(identity)
      const form = await one.open('login')
      const challenges = [optionsIn(form, 'passkey_challenge')]
      const answer = await one.submit(form, { passkey_login: key.get(challenges[0]!) })
      challenges.push(optionsIn(answer, 'passkey_challenge'))
      assert.notDeepEqual(challenges[0], challenges[1])
      seen.push([answer.status, messageIds(answer), answer.body.ui.nodes.length])
    }
    assert.deepEqual(seen[0], seen[1])
  })
}

test('a registered user who requests a code keeps the password', async () => {
  const identity = await createTestIdentity(HIDING)
  await identity.browser().register(ADA)
  const browser = identity.browser()
  const refused = await browser.signIn(ADA)
  assert.deepEqual([refused.status, messageIds(refused)], [400, [4000006]])
  await browser.submit(await browser.open('verification'), { method: 'code', email: ADA })
  const { location = '' } = await browser.navigate(await linkTo(identity, ADA))
  const id = new URL(location).searchParams.get('flow')
  const form = await browser.get(`/self-service/verification/flows?id=${id}`)
  const done = await browser.submit(form, { method: 'code', code: nodeOf(form, 'code')?.value })
  assert.equal(done.body.state, 'passed_challenge')
  assert.equal((await browser.signIn(ADA)).status, 200)
})

test('SEC-13 limits reveal no correct password of an unproven address', async () => {
  const identity = await createTestIdentity({ ...HIDING, limits: SHARED_LIMITS })
  await identity.user(EVE)
  const seen = []
  for (const email of [ADA, EVE]) {
    const statuses = []
    // By the attacker, for both; the second is taken.
    await identity.browser().register(email, 'planted horse 5 battery')
    for (let n = 0; n < 14; n += 1)
      statuses.push((await identity.app().signIn(email, 'planted horse 5 battery')).status)
    seen.push(statuses)
  }
  assert.deepEqual(seen[0], seen[1])
  assert.equal(seen[0]?.at(-1), 429)
})

test('SEC-82 a sign-in answered like a wrong password sends no email', async () => {
  const identity = await createTestIdentity(HIDING)
  await identity.browser().register(ADA)
  const sent = (await identity.mails(ADA)).length
  for (let times = 0; times < 3; times += 1) await identity.app().signIn(ADA)
  await sleep(100)
  assert.equal((await identity.mails(ADA)).length, sent)
})
