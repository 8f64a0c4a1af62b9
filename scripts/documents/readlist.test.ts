import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '@ostiary/identity/testing/servers/free-port'
import { root } from '../child.mjs'
import { provideBrowser } from '../tests/browser.ts'

test('the product of the guide passes its own tests', async () => {
  const playwright = join(root, 'node_modules/@playwright/test/cli.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [playwright, 'test', '--config', 'e2e'], {
    cwd: join(root, 'examples/readlist'),
    encoding: 'utf8',
    env: { ...process.env, TEST_PORT: `${await freePort()}`, CHROME_PATH: (await provideBrowser()) ?? '' },
  })
  assert.equal(status, 0, `${stdout}${stderr}`)
})
