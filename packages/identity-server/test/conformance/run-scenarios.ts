import type { TestContext } from 'node:test'
import { allScenarios } from './scenarios/all.ts'
import type { Scenario, Target } from './target.ts'
import { Absent } from './target.ts'

export interface Manner {
  readonly absent: 'skips' | 'fails'
  /** Kratos with an in-memory database fails with "table is locked". */
  readonly together: boolean
  readonly only?: string
}

/** Queued password hashes per client are limited. */
const AT_A_TIME = 4

/** As subtests of `t`, by flow. */
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
