import type { TestContext } from 'node:test'
import { allScenarios } from './scenarios/all.ts'
import { Absent, type Scenario, type Target } from './target.ts'

export interface Manner {
  readonly absent: 'skips' | 'fails'
  /** Kratos with an in-memory database fails with "table is locked". */
  readonly together: boolean
  readonly only: string
}

/** Queued password hashes per client are limited. */
const AT_A_TIME = 4

interface Score {
  passed: number
  skipped: number
  failed: number
}

/** As subtests of `t`, by area, with a score for each. */
export async function runScenarios(t: TestContext, target: Target, manner: Manner) {
  const { absent, together, only } = manner
  const groups = Object.entries(allScenarios).filter(([group]) => group.includes(only))
  if (groups.length === 0)
    throw new Error(`no flow is called ${only}: ${Object.keys(allScenarios).join(', ')}`)
  for (const [group, scenarios] of groups) {
    const waiting = scenarios.values()
    const concurrency = together ? AT_A_TIME : 1
    const score: Score = { passed: 0, skipped: 0, failed: 0 }
    await t.test(group, { concurrency }, async (t) => {
      const work = async () => {
        for (const one of waiting) score[await runScenario(t, one, target, absent)] += 1
      }
      await Promise.all(Array.from({ length: concurrency }, work))
    })
    t.diagnostic(`${group}: ${score.passed} of ${score.passed + score.failed}`)
  }
}

async function runScenario(
  t: TestContext,
  { sentence, walk }: Scenario,
  target: Target,
  absent: Manner['absent'],
): Promise<keyof Score> {
  let outcome: keyof Score = 'failed'
  await t.test(sentence, async (t) => {
    try {
      await walk(target)
      outcome = 'passed'
    } catch (error) {
      if (!(error instanceof Absent) || absent === 'fails') throw error
      outcome = 'skipped'
      t.skip(error.message)
    }
  })
  return outcome
}
