import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { portOf } from '@ostiary/identity-server'
import { createDevMiddleware } from '@ostiary/ui/dev-server'
import { repositoryRoot } from '../repository.ts'

test('SEC-92 `npm run dev` sends code only', async () => {
  const vite = await createDevMiddleware(repositoryRoot)
  const server = createServer((request, response) =>
    vite.middleware(request, response, () => response.writeHead(404).end()),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const ask = (file: string) =>
      fetch(`http://127.0.0.1:${portOf([server])}/@fs${join(repositoryRoot, file)}`)
    assert.equal((await ask('app.config.ts')).status, 200)
    // `DATA_DIR` may be next to any of these.
    const folders = ['.', 'packages/server', 'app/web', 'packages/identity'].map(
      (name) => `${name}/package.json`,
    )
    for (const file of [...folders, 'package.json?raw', 'docs/threats.md'])
      assert.equal((await ask(file)).status, 403, file)
  } finally {
    server.close()
    await vite.close()
  }
})
