import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { runs } from '@ostiary/identity/testing/input/sample'
import { assertStatuses, atMost, fault, figuresOf, isGood } from './fault.ts'
import { type Account, type Answered, beginLoad, beginLookUps, signIn } from './load.ts'
import { createUsers, newPlace, processFigures, signedIn } from './product.ts'

const SECONDS = runs(4, 20)
const FEW = 4
const MANY = 100

fault(
  'FLT-20 FLT-21 under five times the possible sign-ins, the excess gets 503 and nothing collapses',
  async (report) => {
    await using place = await newPlace()
    const replica = await place.start()
    const { port } = replica
    const token = await signedIn(replica)
    const users = await createUsers(replica, MANY)
    const load = async (clients: number) => {
      const offered = beginLoad(clients, (turn, from) =>
        signIn(port, users[turn % users.length] as Account, from),
      )
      await delay(SECONDS * 1_000)
      return await offered.stop()
    }
    const calm = await load(FEW)
    const { rssMb } = await processFigures(replica)
    const lookUps = beginLookUps(port, token)
    const crowded = await load(MANY)
    const looked = await lookUps.stop()
    const figures = { ...figuresOf(crowded), ...(await processFigures(replica)) }
    const goodput = rate(crowded) / rate(calm)
    const began = performance.now()
    assert.equal(await signIn(port, users[0] as Account), 200)
    report({ ...figures, recoveryMs: performance.now() - began })
    assertStatuses(crowded, 200, 503)
    // Four fifths on an idle machine (bench/).
    assert.ok(1 / goodput < atMost(2.5), `${goodput} of what is served without the flood`)
    assertStatuses(looked, 200)
    assert.ok(figures.loopMaxMs < atMost(1_000), `${figures.loopMaxMs} ms`)
    assert.ok(figures.rssMb - rssMb < 100, `${figures.rssMb - rssMb} MB more`)
  },
)

/** Per second. */
function rate(answers: readonly Answered[]): number {
  const times = answers.map(({ at, ms }) => at - ms)
  const seconds = (Math.max(...answers.map(({ at }) => at)) - Math.min(...times)) / 1_000
  return answers.filter(isGood).length / seconds
}
