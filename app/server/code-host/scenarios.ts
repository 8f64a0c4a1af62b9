import { setTimeout as delay } from 'node:timers/promises'
import type { DemoSwitch } from '@ostiary/server'
import type { CodeHost } from './client.ts'
import { sampleRepositories } from './sample-repositories.ts'
import type { Repository } from './types.ts'

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
      if (chosen === 'sample') return { data: sampleRepositories(username), source: 'sample', age: 0 }
      // A separate client, because the real one would keep the list.
      return await create(() => answerOf(chosen, username)).listUserRepositories(username)
    },
  }
}

const SLOW_MS = 3_000

async function answerOf(scenario: string, login: string): Promise<Response> {
  switch (scenario) {
    case 'empty':
      return Response.json([])
    case '100 repositories':
      return Response.json(manyRepositories(login))
    case 'slow':
      await delay(SLOW_MS)
      return Response.json(sampleRepositories(login))
    case 'status 500':
      return new Response('', { status: 500 })
    default:
      return new Response('', { status: 429, headers: { 'Retry-After': '60' } })
  }
}

function manyRepositories(login: string): Repository[] {
  const some = sampleRepositories(login)
  const many = Array.from({ length: 100 / some.length + 1 }, () => some)
    .flat()
    .slice(0, 100)
  return many.map((one, index) => ({ ...one, id: index + 1, name: `sample-${index + 1}` }))
}
