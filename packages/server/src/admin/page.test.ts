import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createHeaderSets } from '../http/header-sets.ts'
import { loadAdminFiles } from '../pages/spa-files.ts'
import { ADMIN_PAGE, adminPage } from './page.ts'

const dist = mkdtempSync(join(tmpdir(), 'my-app-admin-page-'))
mkdirSync(join(dist, 'assets'))
writeFileSync(join(dist, 'admin.html'), '<!doctype html><title>Admin</title>')
writeFileSync(join(dist, 'assets/admin-4f3a.js'), 'console.log("hello")')
const app = adminPage(
  loadAdminFiles(dist, ADMIN_PAGE, {}),
  createHeaderSets(new URL('https://app.example.test')),
  '10.0.0.7',
)
const get = (path: string, host = '127.0.0.1:4434') => app.request(`http://${host}${path}`)

test('the admin page runs its own scripts only, in no frame', async () => {
  const page = await get('/ui/accounts/1')
  assert.equal(page.status, 200)
  const policy = page.headers.get('content-security-policy') ?? ''
  for (const part of ["default-src 'none'", "script-src 'self'", "img-src 'self'", "frame-ancestors 'none'"])
    assert.ok(policy.split('; ').includes(part), part)
  assert.doesNotMatch(policy, /unsafe|upgrade-insecure|http/)
  assert.equal(page.headers.get('strict-transport-security'), null)
  assert.match((await get('/ui/assets/admin-4f3a.js')).headers.get('cache-control') ?? '', /immutable/)
  assert.equal((await get('/ui/assets/gone.js')).status, 404)
  assert.equal((await get('/')).headers.get('location'), '/ui')
})

test('the admin page is shown by the names of its port only (DNS rebinding)', async () => {
  for (const path of ['/', '/ui', '/ui/accounts', '/ui/assets/admin-4f3a.js']) {
    assert.equal((await get(path, 'evil.example:4434')).status, 403, path)
    for (const host of ['localhost:4434', '[::1]:4434', '10.0.0.7:4434'])
      assert.notEqual((await get(path, host)).status, 403, `${host}${path}`)
  }
})
