import assert from 'node:assert/strict'
import fc from 'fast-check'
import { runs, SEED } from '../input/sample.ts'
import { testOn } from '../kit/databases.ts'
import { allCommands } from './commands.ts'
import { assertAsBelieved, newWorld } from './world.ts'

const AT_ONCE = 200
const RUNS = runs(20, 5 * AT_ONCE)

/** How often all walks must reach each state. */
const PLACES = [
  ...['login choose_method', 'login finished', 'login refused', 'login expired'],
  ...['registration choose_method', 'registration finished', 'registration refused', 'registration expired'],
  ...['recovery choose_method', 'recovery sent_email', 'recovery proven', 'recovery expired'],
  ...['verification choose_method', 'verification sent_email', 'verification proven', 'verification expired'],
  ...['settings show_form', 'settings success', 'settings refused', 'logout done', 'logout others'],
]
const VISITS = 10

for (let done = 0; done < RUNS; done += AT_ONCE) {
  const numRuns = Math.min(AT_ONCE, RUNS - done)
  // The state of flows, sessions and accounts does not depend on the dialect.
  testOn(
    'SQLite',
    `FUZ-01 any sequence of actions ends as the model predicts: walk ${done} on`,
    async (t) => {
      const seen = new Map<string, number>()
      const walk = fc.asyncProperty(allCommands(), async (commands) => {
        const world = await newWorld(seen)
        try {
          await fc.asyncModelRun(() => world, commands)
          await assertAsBelieved(world.model, world.real)
        } finally {
          await world.real.identity.stop()
        }
      })
      await fc.assert(walk, { numRuns, seed: SEED + done })
      for (const [place, times] of [...seen].sort()) t.diagnostic(`${place}: ${times}`)
      if (numRuns < AT_ONCE) return
      assert.deepEqual(
        PLACES.filter((place) => (seen.get(place) ?? 0) < VISITS),
        [],
      )
    },
  )
}
