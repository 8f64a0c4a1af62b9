import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { buildPages } from '../../test/pages.ts'
import { createHeaderSets } from '../http/header-sets.ts'
import { createSpa } from './spa.ts'

const files = buildPages()
const headerSets = createHeaderSets(new URL('http://localhost:5200'))
const spa = createSpa(files, headerSets, true).app
const script = '/assets/index-4f3a.js'

test("a page has the server's settings, which cannot break out", async () => {
  const response = await spa.request('/login?flow=1')
  const html = await response.text()
  assert.equal(response.status, 200)
  assert.match(html, /<title>Login/)
  const json = /id="settings">(.*?)<\/script>/.exec(html)?.[1] ?? ''
  assert.equal(JSON.parse(json).token_template, '</script><script>alert(1)</script>')
  assert.ok(!json.includes('<'))
  assert.match(html, /og:image" content="http:\/\/localhost:5200\/preview\.png"/)
})

for (const cookie of ['', 'session_hint=1; user_jwt=a', 'csrf_token_1=a; __Host-device=b']) {
  test(`a page for signed-in users redirects a visitor with "${cookie}"`, async () => {
    const response = await spa.request('/dashboard?x=1', { headers: { cookie } })
    const header = (name: string) => response.headers.get(name)
    assert.deepEqual(
      [response.status, header('location'), header('cache-control')],
      [303, '/?after=%2Fdashboard%3Fx%3D1', 'no-store'],
    )
  })
}

for (const cookie of ['ory_kratos_session=a', '__Host-session=a', 'ory_session_project=a']) {
  test(`a page for signed-in users is sent with ${cookie}`, async () => {
    assert.equal((await spa.request('/dashboard', { headers: { cookie } })).status, 200)
  })
}

test('a page with a parameter is served at each value, a fixed page before it', async () => {
  const cookie = 'ory_kratos_session=a'
  const titleAt = async (path: string) => {
    const response = await spa.request(path, { headers: { cookie } })
    return `${response.status} ${/<title>(.*?)<\/title>/.exec(await response.text())?.[1]}`
  }
  for (const path of ['/links/42', '/links/42?tab=2', '/links/a.png', '/links/%C3%A9%2F', '/links/__proto__'])
    assert.equal(await titleAt(path), '200 Link', path)
  assert.equal(await titleAt('/links/new'), '200 New link')
  for (const path of ['/links/42/edit', '/links', '/LINKS/42'])
    assert.equal(await titleAt(path), '404 404 Not Found', path)
})

test('a private page with a parameter redirects a visitor, who returns to the same value', async () => {
  const response = await spa.request('/links/%C3%A9%5C?tab=2')
  assert.equal(response.status, 303)
  assert.equal(response.headers.get('location'), '/login?after=%2Flinks%2F%25C3%25A9%255C%3Ftab%3D2')
  assert.equal((await spa.request('/links/new')).status, 200)
})

test('an unknown path is the 404 page', async () => {
  const response = await spa.request('/nowhere')
  assert.equal(response.status, 404)
  assert.match(await response.text(), /404 Not Found/)
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
})

for (const path of [
  '/assets/gone-1234.js',
  '/assets/gone',
  '/gone.png',
  '/index.html',
  '/routes.json',
  '/.admin/admin.js',
  `${script}.map`,
]) {
  test(`the missing file ${path} is 404 in plain text`, async () => {
    const response = await spa.request(path)
    assert.equal(response.status, 404)
    assert.equal(response.headers.get('content-type'), 'text/plain; charset=UTF-8')
  })
}

for (const path of [
  '/../package.json',
  '/assets/../../package.json',
  '/%2e%2e/package.json',
  '/assets/%2e%2e%2froutes.json',
]) {
  test(`${path} does not leave the build`, async () => {
    assert.equal((await spa.request(path)).status, 404)
  })
}

const encodings = { br: brotliDecompressSync, gzip: gunzipSync, identity: (body: Buffer) => body }
for (const [encoding, unpack] of Object.entries(encodings)) {
  test(`a client that accepts ${encoding} gets the same bytes`, async () => {
    const plain = Buffer.from(await (await spa.request(script)).arrayBuffer())
    const response = await spa.request(script, { headers: { 'accept-encoding': encoding } })
    const body = Buffer.from(await response.arrayBuffer())
    assert.deepEqual(unpack(body), plain)
    assert.equal(response.headers.get('content-encoding'), encoding === 'identity' ? null : encoding)
    assert.equal(response.headers.get('vary'), 'Accept-Encoding')
    assert.equal(response.headers.get('content-length'), String(body.length))
    assert.ok(encoding === 'identity' || body.length < plain.length)
  })
}

test('hashed files are cached for a year, pages are revalidated', async () => {
  const cacheControl = async (path: string) => (await spa.request(path)).headers.get('cache-control')
  assert.equal(await cacheControl(script), 'public, max-age=31536000, immutable')
  assert.equal(await cacheControl('/'), 'no-cache')
  assert.equal(await cacheControl('/favicon.svg'), 'public, max-age=3600')
})

test('an unchanged page is not sent again', async () => {
  const first = await spa.request('/', { headers: { 'accept-encoding': 'gzip' } })
  const etag = first.headers.get('etag') ?? ''
  const again = (tag: string) =>
    spa.request('/', { headers: { 'accept-encoding': 'gzip', 'if-none-match': tag } })
  for (const tag of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const response = await again(tag)
    assert.equal(response.status, 304)
    assert.equal(response.headers.get('etag'), etag)
    assert.equal((await response.arrayBuffer()).byteLength, 0)
  }
  assert.equal((await again('"other"')).status, 200)
  const kept = ['content-security-policy', 'permissions-policy', 'cache-control', 'vary']
  const unchanged = await again(etag)
  assert.deepEqual(
    kept.map((name) => unchanged.headers.get(name)),
    kept.map((name) => first.headers.get(name)),
  )
  const brotli = await spa.request('/', { headers: { 'accept-encoding': 'br' } })
  assert.notEqual(brotli.headers.get('etag'), etag)
})

test('HEAD has the same headers and no body', async () => {
  const get = await spa.request('/login')
  const head = await spa.request('/login', { method: 'HEAD' })
  assert.deepEqual(Object.fromEntries(head.headers), Object.fromEntries(get.headers))
  assert.equal(await head.text(), '')
})

test('a trailing slash redirects and keeps the query, on pages of the demo too', async () => {
  for (const path of ['/login', '/demo/inbox']) {
    const response = await spa.request(`${path}/?flow=1`)
    assert.equal(response.status, 308)
    assert.equal(response.headers.get('location'), `${path}?flow=1`)
  }
  assert.equal((await spa.request('//evil.example/')).status, 404)
  const encoded = await spa.request('/links/%5C%C3%A9/')
  assert.equal(encoded.headers.get('location'), '/links/%5C%C3%A9')
})

test('pages can only be read', async () => {
  const response = await spa.request('/login', { method: 'POST' })
  assert.equal(response.status, 405)
  assert.equal(response.headers.get('allow'), 'GET, HEAD')
})

test('SEC-55 the inbox exists in the demo only', async () => {
  assert.equal((await spa.request('/demo/inbox')).status, 200)
  const production = createSpa(files, headerSets, false).app
  assert.equal((await production.request('/demo/inbox')).status, 404)
})

test('only the demo has its panel', async () => {
  const ask = async (demo: boolean, path: string) => {
    const { app } = createSpa(buildPages({ demo }), headerSets, demo)
    const response = await app.request(path)
    return `${response.status} ${await response.text()}`
  }
  for (const path of ['/', '/login', '/nowhere']) {
    assert.match(await ask(true, path), /<script type="module"[^>]* src="\/assets\/panel-1a2b\.js">/)
    assert.doesNotMatch(await ask(false, path), /panel/)
  }
  assert.doesNotMatch(await ask(true, '/demo/inbox'), /panel/)
  assert.match(await ask(true, '/assets/panel-1a2b.js'), /^200/)
  assert.match(await ask(false, '/assets/panel-1a2b.js'), /^404/)
})
