import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '@ostiary/identity/testing/servers/free-port'
import { root } from '../root.ts'
import { provideBrowser } from '../tests/journeys.ts'

test('the product of the guide passes its own tests', async () => {
  const ostiary = join(root, 'packages/server/commands/ostiary.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [ostiary, 'test'], {
    cwd: join(root, 'examples/readlist'),
    encoding: 'utf8',
    env: { ...process.env, TEST_PORT: `${await freePort()}`, CHROME_PATH: (await provideBrowser()) ?? '' },
  })
  assert.equal(status, 0, `${stdout}${stderr}`)
})
