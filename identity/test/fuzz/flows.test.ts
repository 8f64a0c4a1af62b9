import assert from 'node:assert/strict'
import fc from 'fast-check'
import { testOn } from '../databases.ts'
import { allCommands } from './commands.ts'
import { assertAsBelieved, newWorld } from './world.ts'

/** How many walks of up to eighty steps. The default ones are always the same; requested ones start elsewhere each time. */
const ASKED = process.env.FUZZ_RUNS
const RUNS = Number(ASKED ?? 50)
/** As many as one test has time for. */
const AT_ONCE = 200

/** What every run must have covered, and how often when there is time. */
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
  // On one database: it covers what flows, sessions and accounts remember.
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
      await fc.assert(walk, { numRuns, ...(ASKED === undefined ? { seed: 4 } : {}) })
      for (const [place, times] of [...seen].sort()) t.diagnostic(`${place}: ${times}`)
      const enough = numRuns === AT_ONCE ? VISITS : 1
      assert.deepEqual(
        PLACES.filter((place) => (seen.get(place) ?? 0) < enough),
        [],
      )
    },
  )
}
