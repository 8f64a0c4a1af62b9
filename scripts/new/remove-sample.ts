import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Edit } from './adapt.ts'
import { editorOf } from './adapt.ts'

/** The sample: the list of repositories, and the pages that describe the template. */
const FILES = [
  ...['cash', 'code-host'].map((folder) => `app/server/src/${folder}`),
  ...['local-code-host', 'other-service.test', 'other-service'].map((name) => `app/server/test/${name}.ts`),
  ...['features/repositories', 'features/showcase', 'testing/repositories.ts'].map(
    (path) => `app/web/src/${path}`,
  ),
  ...['kit/code-host.ts', 'journeys/pages/dashboard.spec.ts', 'states/dashboard.ts'].map(
    (path) => `e2e/${path}`,
  ),
]

const cut = (found: RegExp | string): Edit => [found, '']
const cutLine = (start: string): Edit => [new RegExp(`^ *${RegExp.escape(start)}.*\\n`, 'm'), '']
const cutFunction = (name: string): Edit =>
  cut(new RegExp(`(/\\*\\*.*\\*/\n)?(export )?function ${name}\\([\\s\\S]*?\n\\}\n\n?`))

const SERVER: Readonly<Record<string, readonly Edit[]>> = {
  'src/api.ts': [
    cutLine('import { cashRoutes }'),
    cutLine('import type { CodeHost }'),
    cutLine('import { codeHostRoutes }'),
    cutLine('readonly codeHost'),
    cutLine('readonly dashboard_user'),
    cutLine(".route('/cash'"),
    cutLine(".route('/code-host'"),
  ],
  'src/demo/world.ts': [cut(/ {2}github: z\n(?: {4}.*\n)+/)],
  'src/demo/world.test.ts': [
    cutLine('const LIST'),
    cutLine('github:'),
    cut(/test\('the list of repositories[\s\S]*?\n\}\)\n\n/),
  ],
  'src/http/errors.ts': [
    ["'GitHub has limited the number of requests.'", "'There were too many requests.'"],
    cutLine('code_host_unavailable'),
  ],
  'src/http/metrics.ts': [
    cut(', REQUEST_BUCKETS'),
    cut(/ {2}code_host_request_duration_seconds: \{\n(?: {4}.*\n)+ {2}\},\n/),
  ],
  'src/pages/spa-files.ts': [cutLine('readonly dashboard_user')],
  'src/settings/env-variables.ts': [
    cutLine('import * as product'),
    cut(/ {2}DASHBOARD_USER: z\n(?: {4}.*\n)+/),
    cutLine('CODE_HOST_URL'),
    cutLine('GITHUB_TOKEN'),
  ],
  'src/settings/env.ts': [
    cutLine('* - sample repositories'),
    cutLine('dashboard_user:'),
    cutLine('code_host_url:'),
    cutLine('github_token:'),
  ],
  'src/start/compose.ts': [
    cutLine('import { createCodeHost }'),
    cutLine('import { withSampleRepositories, withScenarios }'),
    cut('    codeHost: productCodeHost(parts),\n    dashboard_user: settings.dashboard_user,\n'),
    cut(/\nfunction productCodeHost[\s\S]*?\n\}\n/),
    cutLine('dashboard_user:'),
  ],
  'test/pages.ts': [cutLine('dashboard_user:')],
}

const WEB: Readonly<Record<string, readonly Edit[]>> = {
  'demo-panel/world.tsx': [cutLine('github:')],
  'ui/icons.tsx': [cutFunction('ExternalIcon'), cutFunction('StarIcon')],
  'api/env.ts': [cutLine('dashboard_user:')],
  'screens/about.tsx': [
    cutLine('import { Claims }'),
    cutLine('import { Diagram }'),
    cutLine('<Diagram />'),
    cutLine('<Claims />'),
    cutLine('<p className="text-muted">'),
  ],
  'screens/about-texts.ts': [
    [/ is a small web app[^`]*/, ' is a web app with accounts.'],
    cut(/ {2}purpose:\n.*\n/),
  ],
  'screens/dashboard.tsx': [
    cutLine('import { readSettings }'),
    cutLine('import { useProtectedUser, useRepositories }'),
    cutLine('import { RepositoryList }'),
    cutLine('useProtectedUser()'),
    cutLine('const user = '),
    cutLine('const { isPending }'),
    cutLine('<RepositoryList'),
    cut(', and not where the list will be'),
    cut('{!isPending && '),
    ['isHeldBack={isHeldBack} />}', 'isHeldBack={isHeldBack} />'],
  ],
  'screens/home.tsx': [
    cutLine('import arches'),
    cutLine('import { Showcase }'),
    cutLine('<img src={arches}'),
    cutLine('<Showcase />'),
  ],
  'screens/home-texts.ts': [[/more: .*/, "more: 'Register, verify your email address, log in.',"]],
  'testing/fake-service.ts': [
    cut(", and the dashboard's list is empty"),
    cutLine("['GET /api/v1/code-host/"),
    cutLine("['GET /api/v1/cash/"),
  ],
}

const REST: Readonly<Record<string, readonly Edit[]>> = {
  // A settings page then loads what the dashboard's list loaded before.
  'app/web/build/size.ts': [['ACCOUNT_PAGE_BUDGET = 8_000', 'ACCOUNT_PAGE_BUDGET = 9_000']],
  'app.config.ts': [cut(/\/\*\* Whose repositories .*\nexport const dashboardUser = .*\n\n/)],
  'ARCHITECTURE.md': [['cash, account, code-host', 'account']],
  'docs/configuration.md': [
    cutLine('| `DASHBOARD_USER`'),
    cutLine('| `CODE_HOST_URL`'),
    cutLine('| `GITHUB_TOKEN`'),
  ],
  'docs/operations.md': [cutLine('| `code_host_request_duration_seconds')],
  'deploy/grafana-dashboard.json': [cut(/,\n {8}\{\n[^{}]*code_host_request[^{}]*\{\{status\}\}"\n {8}\}/)],
  'e2e/kit/fixtures.ts': [
    cutLine('import { startCodeHost }'),
    cutLine('const codeHost = '),
    cut(', CODE_HOST_URL: codeHost.list'),
    cutLine('await codeHost.stop()'),
  ],
  'e2e/kit/product.ts': [
    cut(/\/\*\* No journey calls GitHub.*\nconst noCodeHost.*\n\n/),
    cut(', CODE_HOST_URL: noCodeHost'),
  ],
  'e2e/journeys/pages/demo-world.spec.ts': [
    cut(/ {4}await turn\('GitHub', [\s\S]*?'100 repositories', \{.*\n/),
    cutLine("'GitHub: 100 repositories'"),
  ],
  'e2e/journeys/pages/other-engine.spec.ts': [
    cutLine("await expect(page.getByRole('link', { name: /^hello-world/ }))"),
    cut(/ {2}const answer = .*\n {2}expect\(answer\.status.*\n\n/),
  ],
  'e2e/states/states.ts': [
    cutLine('import { dashboardStates }'),
    ['  ...dashboardStates,\n', "  { name: 'dashboard', show: dashboard },\n"],
    [
      '\nasync function submitEmpty(',
      "\nasync function dashboard(stage: Stage): Promise<void> {\n  await signInNewUser(stage)\n  await open(stage.page, '/dashboard', 'Dashboard Page')\n}\n\nasync function submitEmpty(",
    ],
  ],
}

/** Removes the sample from a copy of the template. */
export function removeSample(target: string): void {
  for (const file of FILES) rmSync(join(target, file), { recursive: true })
  const edit = editorOf(target)
  for (const [file, edits] of Object.entries(SERVER)) edit(`app/server/${file}`, edits)
  for (const [file, edits] of Object.entries(WEB)) edit(`app/web/src/${file}`, edits)
  for (const [file, edits] of Object.entries(REST)) edit(file, edits)
}
