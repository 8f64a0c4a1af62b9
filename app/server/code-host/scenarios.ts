import { setTimeout as delay } from 'node:timers/promises'
import type { DemoSwitch } from '@ostiary/server'
import type { CodeHost } from './code-host.ts'
import { sampleRepositories } from './sample-repositories.ts'

/** A switch of the demo. */
export const scenarios = {
  title: 'GitHub',
  hint: 'The repositories on the dashboard.',
  values: ['live', 'sample', 'empty', '100 repositories', 'slow', 'status 500', 'rate limited'],
} satisfies DemoSwitch

/** GitHub, as the demo's switch says. */
export function withScenarios(
  live: CodeHost,
  create: (answer: () => Promise<Response>) => CodeHost,
  scenario: () => string,
): CodeHost {
  return {
    ...live,
    async listUserRepositories(username, userId) {
      const chosen = scenario()
      if (chosen === 'live') return await live.listUserRepositories(username, userId)
      if (chosen === 'sample') return { data: sampleRepositories, source: 'sample', age: 0 }
      // A separate client, because the real one would keep the list.
      return await create(() => answerOf(chosen)).listUserRepositories(username)
    },
  }
}

const SLOW_MS = 3_000

async function answerOf(scenario: string): Promise<Response> {
  switch (scenario) {
    case 'empty':
      return Response.json([])
    case '100 repositories':
      return Response.json(manyRepositories())
    case 'slow':
      await delay(SLOW_MS)
      return Response.json(sampleRepositories)
    case 'status 500':
      return new Response('', { status: 500 })
    default:
      return new Response('', { status: 429, headers: { 'Retry-After': '60' } })
  }
}

function manyRepositories() {
  const rounds = Array.from({ length: 13 }, (_, round) =>
    sampleRepositories.map((one) => ({ ...one, id: one.id + round, name: `${one.name}-${round + 1}` })),
  )
  return rounds.flat().slice(0, 100)
}
