import type { TestContext } from 'node:test'
import { allScenarios } from './scenarios/all.ts'
import type { Scenario, Target } from './target.ts'
import { Absent } from './target.ts'

export interface Manner {
  /** Whether a missing feature is a failure. */
  readonly absent: 'skips' | 'fails'
  /** Several scenarios of a flow in parallel. A Kratos with an in-memory database answers "table is locked" to two. */
  readonly together: boolean
  /** The flows to run, by a part of their name; all of them otherwise. */
  readonly only?: string
}

/** One client may have only so many password hashes queued. */
const AT_A_TIME = 4

/** Every scenario is a subtest of `t`, in the group of its flow. */
export async function runScenarios(t: TestContext, target: Target, manner: Manner) {
  const { absent, together, only = '' } = manner
  const groups = Object.entries(allScenarios).filter(([group]) => group.includes(only))
  if (groups.length === 0)
    throw new Error(`no flow is called ${only}: ${Object.keys(allScenarios).join(', ')}`)
  for (const [group, scenarios] of groups) {
    const waiting = scenarios.values()
    const concurrency = together ? AT_A_TIME : 1
    await t.test(group, { concurrency }, async (t) => {
      const work = async () => {
        for (const one of waiting) await runScenario(t, one, target, absent)
      }
      await Promise.all(Array.from({ length: concurrency }, work))
    })
  }
}

function runScenario(t: TestContext, { sentence, walk }: Scenario, target: Target, absent: Manner['absent']) {
  return t.test(sentence, async (t) => {
    try {
      await walk(target)
    } catch (error) {
      if (!(error instanceof Absent) || absent === 'fails') throw error
      t.skip(error.message)
    }
  })
}
