import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fakeService } from '@ostiary/react/testing/fake-service'
import { input, loginFlowJson, ok, sessionJson, text } from '@ostiary/react/testing/flows'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { app } from '../../../../app/web/app.tsx'
import { createQueryClient } from '../api/query-client.ts'
import { App } from '../app.tsx'
import { page } from '../pages.tsx'

const folder = import.meta.dirname
const secondFactor = {
  ...input('method', 'submit', 'totp'),
  group: 'totp',
  meta: { label: text(1010009, 'Use the app', 'info') },
}
const inGroup = (group: string, node: object) => ({ ...node, group })

test('a login page with other markup leads to the second factor, and then to the wanted page', async () => {
  const code = inGroup('totp', input('totp_code', 'text'))
  const aal2 = { id: 'login-2', requested_aal: 'aal2' }
  fakeService({
    'GET /sessions/whoami': [{ status: 401, body: {} }, ok(sessionJson())],
    'GET /self-service/login/browser': ({ url }) =>
      url.searchParams.get('aal') === 'aal2'
        ? ok({ ...loginFlowJson({ choices: [code, secondFactor] }), ...aal2 })
        : ok(loginFlowJson()),
    'POST /self-service/login': [
      { status: 422, body: { redirect_browser_to: 'http://localhost:3000/login?aal=aal2' } },
      ok({ session: {} }),
    ],
  })
  const own = page('/login', () => import('./own-login.tsx'))
  const routes = app.routes.map((route) => (route.path === '/login' ? own : route))
  render(
    <MemoryRouter initialEntries={['/login']}>
      <App app={{ ...app, routes }} cache={createQueryClient()} />
    </MemoryRouter>,
  )
  fireEvent.click(await screen.findByRole('button', { name: 'password' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Use the app' }))
  await waitFor(() => expect(document.title).toMatch(/^Dashboard/))
})

test('is the recipe of building.md', () => {
  const own = readFileSync(join(folder, 'own-login.tsx'), 'utf8')
  const recipe = own.slice(own.indexOf('export default')).trim()
  expect(readFileSync(join(folder, '../../../../docs/building.md'), 'utf8')).toContain(recipe)
})
