import assert from 'node:assert/strict'
import { openAdmin, openBrowser, openSchemas, refused } from '../callers.ts'
import { scenario } from '../target.ts'

export const health = [
  scenario('the service says that it is alive and ready', async (target) => {
    for (const path of ['/health/alive', '/health/ready']) {
      const answer = await fetch(target.publicUrl + path)
      assert.deepEqual([answer.status, await answer.json()], [200, { status: 'ok' }])
    }
  }),

  scenario('the schemas of users are public', async (target) => {
    const schemas = openSchemas(target)
    const [first] = await schemas.listIdentitySchemas()
    assert.ok(first)
    assert.deepEqual(await schemas.getIdentitySchema({ id: first.id }), first.schema)
    assert.equal((await refused(schemas.getIdentitySchema({ id: 'nope' }))).status, 404)
  }),

  scenario(
    'an error that never happened is not found, and there is one to try pages with',
    async (target) => {
      const { api } = openBrowser(target)
      assert.equal((await refused(api.getFlowError({ id: 'unknown' }))).status, 404)
      const { error } = await api.getFlowError({ id: 'stub:500' })
      assert.equal((error as { code: number }).code, 500)
    },
  ),

  scenario('the operator’s side is alive, ready and has a version', async (target) => {
    openAdmin(target)
    for (const path of ['/admin/health/alive', '/admin/health/ready', '/health/ready']) {
      assert.equal((await fetch(target.adminUrl + path)).status, 200)
    }
    const { version } = await (await fetch(`${target.adminUrl}/version`)).json()
    assert.equal(typeof version, 'string')
  }),
]
