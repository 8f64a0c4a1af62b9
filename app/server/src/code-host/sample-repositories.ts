import { setTimeout as delay } from 'node:timers/promises'
import type { WorldState } from '../demo/world.ts'
import { ProductError } from '../http/errors.ts'
import type { CodeHost } from './client.ts'
import type { Repository } from './types.ts'

/** An invented list without GitHub and a copy, so that the demo works offline. The response says so. */
export function withSampleRepositories(codeHost: CodeHost, dashboardUser: string): CodeHost {
  return {
    ...codeHost,
    async listUserRepositories(username, userId) {
      try {
        return await codeHost.listUserRepositories(username, userId)
      } catch (error) {
        if (username !== dashboardUser || !isOutage(error)) throw error
        return { data: sampleRepositories(username), source: 'sample', age: 0 }
      }
    },
  }
}

/** GitHub, as the demo's switch says. */
export function withScenarios(
  live: CodeHost,
  create: (answer: () => Promise<Response>) => CodeHost,
  scenario: () => WorldState['github'],
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

async function answerOf(
  scenario: Exclude<WorldState['github'], 'live' | 'sample'>,
  login: string,
): Promise<Response> {
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
    case 'rate limited':
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

function isOutage(error: unknown): boolean {
  return error instanceof ProductError && ['code_host_unavailable', 'rate_limited'].includes(error.code)
}

function sampleRepositories(login: string): Repository[] {
  return samples.map(({ name, description, stargazers_count }, index) => ({
    id: index + 1,
    name,
    full_name: `${login}/${name}`,
    html_url: `https://github.com/${login}`,
    description,
    stargazers_count,
    forks_count: 0,
    open_issues_count: 0,
    owner: { login, html_url: `https://github.com/${login}` },
  }))
}

const samples = [
  {
    name: 'sample-notes',
    description: 'A sample: GitHub could not be reached, so this list is invented.',
    stargazers_count: 42,
  },
  { name: 'sample-weather', description: 'A sample with a short description.', stargazers_count: 7 },
  { name: 'sample-without-description', description: null, stargazers_count: 0 },
]
