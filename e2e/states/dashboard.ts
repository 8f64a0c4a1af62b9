import type { Route } from '@playwright/test'
import { repositories } from '../kit/code-host.ts'
import { alert } from '../kit/screen.ts'
import { button, type Stage, type State, shows, signInNewUser, text } from './stage.ts'

type Answer = (route: Route) => unknown

const CALLS = '**/api/v1/code-host/**'
const [one] = repositories('octocat')
const many = Array.from({ length: 8 }, (_, id) => ({ ...one, id, name: `repository-${id}` }))
const error = {
  code: 'forbidden',
  status: 403,
  reason: 'GitHub sent an invalid response.',
  message: 'GitHub does not give this list out',
}

export const dashboardStates: readonly State[] = [
  shows('dashboard, loading authentication', dashboard(never, '**/sessions/whoami*'), {
    sees: text('Loading authentication...'),
  }),
  shows('dashboard', dashboard(json(repositories('octocat'))), {
    sees: (page) => page.getByRole('main').getByRole('listitem').nth(2),
  }),
  shows('dashboard, loading', dashboard(never), { sees: text('Loading GitHub repositories') }),
  shows('dashboard, nothing found', nothingFound, { sees: button('Clear the filter') }),
  shows('dashboard, empty', dashboard(json([])), { sees: text('No repositories found') }),
  shows('dashboard, error', dashboard(json({ error }, 403)), {
    sees: (page) => alert(page).filter({ hasText: 'Error loading repositories' }),
  }),
  shows('dashboard, sample', dashboard(from('sample', '0')), { sees: text('Demo:') }),
  shows('dashboard, stale', dashboard(from('stale', '900')), { sees: text('15 minutes old') }),
]

function dashboard(answer: Answer, calls = CALLS) {
  return async (stage: Stage): Promise<void> => {
    await signInNewUser(stage)
    await stage.page.route(calls, answer)
    await stage.page.goto('/dashboard')
  }
}

function never(): void {}

function json(json: unknown, status = 200): Answer {
  return (route) => route.fulfill({ status, json })
}

function from(source: string, age: string): Answer {
  return async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'x-data-source': source, age } })
  }
}

async function nothingFound(stage: Stage): Promise<void> {
  await dashboard(json(many))(stage)
  await stage.page.getByRole('searchbox', { name: 'Filter by name' }).fill('nothing like it')
}
