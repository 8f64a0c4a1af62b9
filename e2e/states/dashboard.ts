import { expect } from '@playwright/test'
import { repositories } from '../kit/code-host.ts'
import { alert } from '../kit/screen.ts'
import { open, type Stage, type State, signInNewUser } from './stage.ts'

export const dashboardStates: readonly State[] = [
  { name: 'dashboard, loading authentication', show: dashboardUnknown },
  { name: 'dashboard', show: dashboard },
  { name: 'dashboard, loading', show: dashboardLoading },
  { name: 'dashboard, nothing found', show: dashboardNothingFound },
  { name: 'dashboard, empty', show: dashboardEmpty },
  { name: 'dashboard, error', show: dashboardError },
  { name: 'dashboard, sample', show: async (stage) => dashboardFrom(stage, 'sample', '0', 'Demo:') },
  { name: 'dashboard, stale', show: async (stage) => dashboardFrom(stage, 'stale', '900', '15 minutes old') },
]

const calls = '**/api/v1/code-host/**'

async function dashboardUnknown(stage: Stage): Promise<void> {
  const { page } = stage
  await signInNewUser(stage)
  await page.route('**/sessions/whoami*', () => {})
  await page.goto('/dashboard')
  await expect(page.getByText('Loading authentication...')).toBeVisible()
}

async function dashboard(stage: Stage): Promise<void> {
  await signInNewUser(stage)
  await stage.page.route(calls, (route) => route.fulfill({ json: repositories('octocat') }))
  await open(stage.page, '/dashboard', 'Dashboard Page')
  await expect(stage.page.getByRole('main').getByRole('listitem')).toHaveCount(3)
}

async function dashboardLoading(stage: Stage): Promise<void> {
  await signInNewUser(stage)
  await stage.page.route(calls, () => {})
  await stage.page.goto('/dashboard')
  await expect(stage.page.getByText('Loading GitHub repositories')).toBeVisible()
}

async function dashboardNothingFound(stage: Stage): Promise<void> {
  await signInNewUser(stage)
  const [one] = repositories('octocat')
  const many = Array.from({ length: 8 }, (_, id) => ({ ...one, id, name: `repository-${id}` }))
  await stage.page.route(calls, (route) => route.fulfill({ json: many }))
  await open(stage.page, '/dashboard', 'Dashboard Page')
  await stage.page.getByRole('searchbox', { name: 'Filter by name' }).fill('nothing like it')
  await expect(stage.page.getByRole('button', { name: 'Clear the filter' })).toBeVisible()
}

async function dashboardEmpty(stage: Stage): Promise<void> {
  await signInNewUser(stage)
  await stage.page.route(calls, (route) => route.fulfill({ json: [] }))
  await stage.page.goto('/dashboard')
  await expect(stage.page.getByText('No repositories found')).toBeVisible()
}

async function dashboardError(stage: Stage): Promise<void> {
  await signInNewUser(stage)
  const reason = 'GitHub sent an invalid response.'
  const error = { code: 'forbidden', status: 403, reason, message: 'GitHub does not give this list out' }
  await stage.page.route(calls, (route) => route.fulfill({ status: 403, json: { error } }))
  await stage.page.goto('/dashboard')
  await expect(alert(stage.page)).toContainText('Error loading repositories')
}

async function dashboardFrom(stage: Stage, source: string, age: string, words: string): Promise<void> {
  await signInNewUser(stage)
  await stage.page.route(calls, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'x-data-source': source, age } })
  })
  await stage.page.goto('/dashboard')
  await expect(stage.page.getByText(words)).toBeVisible()
}
