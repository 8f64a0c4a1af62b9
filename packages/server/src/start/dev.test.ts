import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { until } from '@ostiary/identity/testing/kit/until'
import { portOf } from '@ostiary/identity-server'
import { createDevMiddleware } from '@ostiary/ui/dev-server'
import { repositoryRoot } from '../repository.ts'

async function startVite(root = repositoryRoot) {
  const vite = await createDevMiddleware(root)
  const server = createServer((request, response) =>
    vite.middleware(request, response, () => response.writeHead(404).end()),
  )
  vite.attach(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = portOf([server])
  return {
    port,
    statusOf: async (file: string) => (await fetch(`http://127.0.0.1:${port}/@fs${join(root, file)}`)).status,
    async scriptsOf(page: string) {
      const html = await vite.transformPage(page)
      const scripts = [...html.matchAll(/<script type="module" src="([^"]+)"/g)].map(([, src]) => src)
      assert.ok(scripts.length > 1)
      return await Promise.all(scripts.map((src) => fetch(`http://127.0.0.1:${port}${src}`)))
    },
    async [Symbol.asyncDispose]() {
      server.close()
      await vite.close()
    },
  }
}

async function newProduct(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'my-app-dev-'))
  const web = join(root, 'app/web')
  await mkdir(web, { recursive: true })
  await writeFile(join(web, 'vite.config.ts'), 'export default { root: import.meta.dirname }')
  return root
}

test('SEC-92 `npm run dev` sends code only', async () => {
  await using vite = await startVite()
  assert.equal(await vite.statusOf('app.config.ts'), 200)
  // `DATA_DIR` may be next to any of these.
  const folders = ['.', 'packages/server', 'app/web', 'packages/identity'].map(
    (name) => `${name}/package.json`,
  )
  for (const file of [...folders, 'package.json?raw', 'docs/threats.md'])
    assert.equal(await vite.statusOf(file), 403, file)
})

test('SEC-129 other sites get no answer from Vite, which opens files in the editor', async () => {
  await using vite = await startVite()
  const statuses = async (site: string, mode: string) => {
    const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': mode }
    const paths = ['/__open-in-editor', '/@vite/client', '/app.tsx']
    const answers = paths.map((path) => fetch(`http://127.0.0.1:${vite.port}${path}`, { headers }))
    return (await Promise.all(answers)).map(({ status }) => status)
  }
  // 500 asks for the file to open.
  assert.deepEqual(await statuses('same-origin', 'cors'), [500, 200, 200])
  for (const site of ['cross-site', 'same-site'])
    for (const mode of ['no-cors', 'cors', 'navigate'])
      assert.deepEqual(await statuses(site, mode), [404, 404, 404], `${site} ${mode}`)
})

test('`npm run dev` sends the schemas, fonts and images of a product, also new ones', async () => {
  const root = await newProduct()
  const web = join(root, 'app/web')
  await writeFile(join(web, 'brand.woff2'), '')
  await using vite = await startVite(root)
  assert.equal(await vite.statusOf('app/web/brand.woff2'), 200)
  await writeFile(join(web, 'photo.png'), '')
  await writeFile(join(web, 'data.sqlite'), '')
  await writeFile(join(root, 'app/schemas.ts'), '')
  await writeFile(join(root, 'app/keys.ts'), '')
  await until(async () => (await vite.statusOf('app/web/photo.png')) === 200)
  assert.equal(await vite.statusOf('app/schemas.ts'), 200)
  for (const file of ['app/web/data.sqlite', 'app/keys.ts'])
    assert.equal(await vite.statusOf(file), 403, file)
})

test('`npm run dev` serves the scripts of the app, the demo and the admin page', async () => {
  await using vite = await startVite()
  for (const page of ['/', '/demo', '/demo/inbox', '/demo/consent', '/ui'])
    for (const { ok, url } of await vite.scriptsOf(page)) assert.ok(ok, url)
})

// A module with components imports itself by the path of its file: for React Refresh.
test('`npm run dev` starts each page once', async () => {
  await using vite = await startVite()
  for (const page of ['/', '/demo', '/demo/inbox', '/demo/consent', '/ui'])
    for (const script of await vite.scriptsOf(page)) {
      const { pathname } = new URL(script.url)
      const [, file] = /^\/@(?:demo|admin)(\/.+)/.exec(pathname) ?? []
      if (file) assert.doesNotMatch(await script.text(), new RegExp(`from "/@fs.*${file}"`), page)
    }
})

test('pages connect to Vite by the port of the server, so that several products can be developed', async () => {
  await using vite = await startVite()
  const socket = new WebSocket(`ws://127.0.0.1:${vite.port}/`, 'vite-ping')
  await once(socket, 'open')
  socket.close()
  const other = connect(vite.port, '127.0.0.1')
  other.write('GET /x HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n')
  assert.match(await text(other), /^HTTP\/1\.1 404 /)
})

test('a change of a file that restarts the server reloads no page before', async () => {
  const root = await newProduct()
  const [texts, page] = [join(root, 'app/texts.ts'), join(root, 'app/web/page.ts')]
  for (const file of [texts, page]) await writeFile(file, 'export {}')
  await using vite = await startVite(root)
  const client = await fetch(`http://127.0.0.1:${vite.port}/@vite/client`)
  const [, token] = /wsToken = "([^"]+)"/.exec(await client.text()) ?? []
  const socket = new WebSocket(`ws://127.0.0.1:${vite.port}/?token=${token}`, 'vite-hmr')
  const reloads: string[] = []
  socket.addEventListener('message', ({ data }) => {
    const { type, triggeredBy } = JSON.parse(String(data)) as { type: string; triggeredBy?: string }
    if (type === 'full-reload') reloads.push(basename(triggeredBy ?? ''))
  })
  await once(socket, 'open')
  for (const file of ['app/texts.ts', 'app/web/page.ts']) assert.equal(await vite.statusOf(file), 200)
  for (const file of [texts, page]) await writeFile(file, 'export const changed = true')
  await until(() => reloads.length > 0)
  assert.deepEqual(reloads, ['page.ts'])
  socket.close()
})
