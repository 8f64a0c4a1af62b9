import assert from 'node:assert/strict'
import { test } from 'node:test'
import { auditTexts } from '../../packages/admin/src/texts.ts'
import { ADMIN_ROUTES, toPublicPort } from '../../packages/identity/src/http/admin/routes.ts'

test('the admin page has words for every call that changes something', () => {
  const changes = ADMIN_ROUTES.filter(([method, , handler]) => method !== 'GET' && handler !== toPublicPort)
  const calls = changes.map(([method, path]) => `${method} ${path}`)
  assert.deepEqual(Object.keys(auditTexts.calls).sort(), calls.sort())
})
