import assert from 'node:assert/strict'
import type { IdentityDependencies } from '../src/index.ts'
import { type FlowAnswer, verificationIn } from '../src/testing/answers.ts'
import { Browser } from '../src/testing/clients.ts'
import { cleanedUp } from './kit/clean-up.ts'
import { newDsn, testOn } from './kit/databases.ts'
import { createTestIdentity, type TestIdentity, VERIFIED_ONLY } from './kit/kit.ts'

const DAY_MS = 86_400_000

for (const [name, offset] of [
  ['a day ahead', DAY_MS],
  ['a day behind', -DAY_MS],
  ['two minutes ahead', 120_000],
] as const)
  testOn(
    'PostgreSQL',
    `FLT-35 a replica whose clock is ${name} expires nothing of others, and is not ready`,
    async () => {
      const dsn = await newDsn({ shared: true })
      const right = await replica(dsn, 0)
      const wrong = await replica(dsn, offset)
      assert.deepEqual([await right.isReady(), await wrong.isReady()], [true, false])
      assert.equal((await wrong.publicApp.request('/health/ready')).status, 503)
      for (const [first, second] of [
        [right, wrong],
        [wrong, right],
      ] as const) {
        const email = `${first === right ? 'ada' : 'eve'}@example.com`
        let target = first
        const browser = new Browser((...request) => target.send(...request))
        const registered = await browser.register(email)
        target = second
        const flow: FlowAnswer = await browser.get(
          `/self-service/verification/flows?id=${verificationIn(registered)?.id}`,
        )
        assert.equal(flow.status, 200)
        const proven = await browser.submit(flow, { method: 'code', code: await first.code(email) })
        assert.equal(proven.body.state, 'passed_challenge')
        target = first
        assert.equal((await browser.signIn(email)).status, 200)
        target = second
        assert.equal((await browser.whoami()).status, 200)
      }
      // Its clean-up.
      const ada = right.browser()
      const form = await ada.open('login')
      await cleanedUp(wrong)
      assert.equal((await ada.get(`/self-service/login/flows?id=${form.body.id}`)).status, 200)
    },
  )

async function replica(dsn: string, offset: number): Promise<TestIdentity> {
  const machine: Partial<IdentityDependencies> = {
    now: undefined,
    machineClock: () => new Date(Date.now() + offset),
  }
  return await createTestIdentity({ ...VERIFIED_ONLY, dsn }, machine)
}
