import type { TestContext } from 'node:test'
import { allScenarios } from './scenarios/all.ts'
import type { Scenario, Target } from './target.ts'
import { Absent } from './target.ts'

/**
 * Every scenario is a test of its own below `t`, in the group of its flow. One after the other: a Kratos that keeps
 * its data in memory answers "table is locked" to two at a time.
 */
export async function runScenarios(t: TestContext, target: Target, whatIsAbsent: 'skips' | 'fails') {
  for (const [group, scenarios] of Object.entries(allScenarios)) {
    await t.test(group, async (t) => {
      for (const one of scenarios) await runScenario(t, one, target, whatIsAbsent)
    })
  }
}

function runScenario(t: TestContext, { sentence, walk }: Scenario, target: Target, whatIsAbsent: string) {
  return t.test(sentence, async (t) => {
    try {
      await walk(target)
    } catch (error) {
      if (!(error instanceof Absent) || whatIsAbsent === 'fails') throw error
      t.skip(error.message)
    }
  })
}
