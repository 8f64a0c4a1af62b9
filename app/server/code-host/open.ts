import type { ApiTools } from '@ostiary/server'
import { type CodeHost, createCodeHost } from './code-host.ts'
import { withSampleRepositories } from './sample-repositories.ts'
import { withScenarios } from './scenarios.ts'

/** In demo mode with a copy of the list while GitHub is unavailable, and as the demo's switch says. */
export function openCodeHost({ settings, demo, now, log, metrics, fetch }: ApiTools): CodeHost {
  const { CODE_HOST_URL: base, GITHUB_TOKEN: token, DASHBOARD_USER: dashboardUser } = settings
  const parts = { base, token, dashboardUser, now, log, metrics, fetch }
  const codeHost = createCodeHost(parts)
  if (!demo) return codeHost
  const create = (answer: () => Promise<Response>) => createCodeHost({ ...parts, fetch: answer })
  return withScenarios(withSampleRepositories(codeHost), create, () => demo.value('github'))
}
