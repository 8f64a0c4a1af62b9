import assert from 'node:assert/strict'
import { test } from 'node:test'
import ownProduct from '../../../../app/server.ts'
import { startTestProduct } from '../../test/product.ts'
import { assertRecipe } from '../../test/recipe.ts'
import { readSettings } from '../../test/settings.ts'
import { checkPolicy } from '../doctor/local-checks.ts'
import { createHeaderSets } from '../http/header-sets.ts'
import { findPolicyProblems } from './policy.ts'
import type { Product } from './product.ts'

const now = () => new Date()

const withMaps = {
  policy: {
    script: ['https://js.maps.example/loader.js?key=k&v=1', 'https://js.maps.example'],
    trustedTypes: ['maps#loader'],
    permissions: { geolocation: ["'self'", 'https://maps.example'] },
    img: ['https://*.tiles.maps.example'],
    frame: ['https://maps.example'],
    connect: ['https://api.maps.example', 'wss://live.maps.example:8443'],
  },
} satisfies Omit<Product, 'config'>

test('pages may use the hosts that the product lists, and only these', async () => {
  assertRecipe('Use scripts, images or fonts of another host', import.meta.filename)
  await using product = await startTestProduct({}, {}, now, withMaps)
  const directives = await policyOf(product.fetch, '/')
  await using plain = await startTestProduct({}, {}, now, { policy: {} })
  const before = await policyOf(plain.fetch, '/')
  assert.deepEqual(directives, {
    ...before,
    'script-src': "'self' https://js.maps.example/loader.js https://js.maps.example",
    'trusted-types': 'maps#loader',
    'img-src': "'self' data: https://*.tiles.maps.example",
    'frame-src': 'https://maps.example',
    'connect-src': "'self' https://api.maps.example wss://live.maps.example:8443",
  })
  const inbox = await policyOf(product.fetch, '/demo/inbox')
  assert.equal(inbox['frame-src'], "'self' https://maps.example")
  assert.deepEqual(
    await policyOf(product.fetch, '/api/v1/nowhere'),
    await policyOf(plain.fetch, '/api/v1/nowhere'),
  )
})

test('every page of the app loads the scripts that the product lists, and no other page does', async () => {
  await using product = await startTestProduct({}, {}, now, withMaps)
  const textOf = async (path: string) => await (await product.fetch(path)).text()
  const tag = '<script async src="https://js.maps.example/loader.js?key=k&amp;v=1"></script></head>'
  for (const path of ['/', '/login', '/links/new', '/nowhere'])
    assert.equal((await textOf(path)).split(tag).length, 2, path)
  for (const path of ['/demo/inbox', '/demo/emails']) assert.ok(!(await textOf(path)).includes('maps'), path)
})

test('pages may use the features that the product lists', async () => {
  await using product = await startTestProduct({}, {}, now, withMaps)
  await using plain = await startTestProduct({}, {}, now, { policy: {} })
  const [own = '', before = ''] = await Promise.all(
    [product, plain].map(async ({ fetch }) => (await fetch('/')).headers.get('permissions-policy') ?? ''),
  )
  assert.equal(own, before.replace('geolocation=()', 'geolocation=(self "https://maps.example")'))
  assert.notEqual(own, before)
})

test('a product may turn off Trusted Types, and nothing else changes', async () => {
  await using product = await startTestProduct({}, {}, now, { policy: { trustedTypes: 'off' } })
  await using plain = await startTestProduct({}, {}, now, { policy: {} })
  const {
    'require-trusted-types-for': required,
    'trusted-types': types,
    ...others
  } = await policyOf(plain.fetch, '/')
  assert.deepEqual([required, types], ["'script'", "'none'"])
  assert.deepEqual(await policyOf(product.fetch, '/'), others)
})

test('a script whose address contains separators of a policy cannot add directives', () => {
  const script = 'https://cdn.example.com/a;script-src,b.js?c;d'
  const { page } = createHeaderSets(new URL('https://app.example'), { policy: { script: [script] } })
  const text = (page as Record<string, string>)['Content-Security-Policy'] ?? ''
  assert.match(text, /; script-src 'self' https:\/\/cdn\.example\.com\/a%3Bscript-src%2Cb\.js; /)
})

test('the doctor reports each relaxation of Trusted Types', async () => {
  const findingsFor = async (policy: Product['policy']) => {
    const product = { ...ownProduct, ...(policy && { policy }) }
    const settings = readSettings({}, product)
    return await checkPolicy({ product, settings, deep: false, now })
  }
  assert.deepEqual(await findingsFor(undefined), [])
  assert.deepEqual(await findingsFor({ trustedTypes: [] }), [])
  const [named] = await findingsFor({ trustedTypes: ['maps#loader'] })
  assert.deepEqual(
    [named?.level, named?.message],
    ['ok', 'scripts may create the Trusted Types policy maps#loader'],
  )
  const [off] = await findingsFor({ trustedTypes: 'off' })
  assert.equal(off?.level, 'warning')
  assert.match(off?.message ?? '', /^policy\.trustedTypes in app\/server\.ts is off: /)
})

async function policyOf(fetch: (path: string) => Promise<Response>, path: string) {
  const text = (await fetch(path)).headers.get('content-security-policy') ?? ''
  return Object.fromEntries(text.split('; ').map((line) => line.split(/ (.*)/).slice(0, 2)))
}

test('a source on this machine is for development', () => {
  const policy = {
    script: ['http://localhost:8080/widget.js', 'http://localhost:8080'],
    connect: ['http://127.0.0.1'],
  }
  assert.deepEqual([...findPolicyProblems(policy, false)], [])
  const [problem, ...others] = [...findPolicyProblems(policy, true)]
  assert.match(
    problem ?? '',
    /"http:\/\/localhost:8080\/widget\.js", which is for development\. Use an https/,
  )
  assert.equal(others.length, 2)
})

test('SEC-89 a source with a password, perhaps of a setting, is refused without being quoted', () => {
  for (const source of [
    'https://secret@cdn.example',
    'https://a:secret@cdn.example/a.js',
    'http://a:secret@localhost',
  ]) {
    const policy = { script: [source], frame: [source], permissions: { camera: [source] } }
    const problems = [...findPolicyProblems(policy, true)]
    for (const part of ['script', 'frame', 'permissions.camera'])
      assert.ok(problems.some((one) => one.startsWith(`policy.${part} in app/server.ts has "`)))
    assert.ok(!problems.join().includes('secret'))
  }
})

test('the admin page and the API use no other host', () => {
  const [own, plain] = [withMaps.policy, {}].map((policy) =>
    createHeaderSets(new URL('https://app.example'), { policy }),
  )
  assert.deepEqual([own?.adminPage, own?.api], [plain?.adminPage, plain?.api])
})

for (const origin of [
  "'unsafe-inline'",
  'unsafe-eval',
  "'none'",
  '*',
  'https:',
  'https://*',
  'https://*.com',
  'https://*:443',
  'data:',
  'blob:',
  'http://cdn.example.com',
  'wss://cdn.example.com',
  'cdn.example.com',
  'https://cdn.example.com/',
  'https://cdn.example.com/lib.js#part',
  'https://*.example.com/lib.js',
  'http://cdn.example.com/lib.js',
  'https://cdn.example.com/a b.js',
  'https://cdn.example.com/"onload=',
  'https://cdn.example.com:443',
  'https://CDN.example.com',
  'https://cdn.example.com; script-src *',
  'https://cdn.example.com https://other.example.com',
  'https://cdn.*.example.com',
  '',
])
  test(`a start refuses ${JSON.stringify(origin)} as the origin of scripts`, () => {
    assert.throws(() => readSettings({}, { ...ownProduct, policy: { script: [origin] } }), {
      name: 'StartError',
      message: `policy.script in app/server.ts has ${JSON.stringify(origin)}. Use an origin such as https://cdn.example.com, https://*.example.com or, in development, http://localhost:8080, or the address of a script.`,
    })
  })

test('a start refuses an unknown part of the product', () => {
  const product = { ...ownProduct, bodyLimit: { '/api/v1/photos': '5 MB' } }
  assert.throws(
    () => readSettings({}, product),
    /^StartError: The product in app\/server\.ts has the unknown part bodyLimit\. Use .*bodyLimits/,
  )
})

test('a start refuses an unknown part of the policy', () => {
  const policy = { 'script-src': ['https://cdn.example.com'] } as object
  assert.throws(
    () => readSettings({}, { ...ownProduct, policy }),
    /^StartError: policy in app\/server\.ts has the unknown part script-src\. Use script, style, img/,
  )
})

for (const [policy, problem] of [
  [{ style: ['https://cdn.example.com/a.css'] }, /^policy\.style .*localhost:8080\.$/],
  [
    { permissions: { 'geo location': [] } },
    /^policy\.permissions .* has the feature "geo location"\. Use a name/,
  ],
  [{ permissions: { camera: ['self'] } }, /^policy\.permissions\.camera .* has "self"\. Use "'self'" for/],
  [{ permissions: { camera: ['https://a.example")'] } }, /^policy\.permissions\.camera .* Use "'self'" for/],
  [{ trustedTypes: ["'allow-duplicates'"] }, /^policy\.trustedTypes .* Use a list of names/],
  [{ trustedTypes: ['*'] }, /^policy\.trustedTypes .* Use a list of names/],
  [{ trustedTypes: 'on' }, /^policy\.trustedTypes .* has "on"\. Use a list/],
] as const)
  test(`a start refuses the policy ${JSON.stringify(policy)}`, () => {
    assert.throws(() => readSettings({}, { ...ownProduct, policy: policy as Product['policy'] } as Product), {
      name: 'StartError',
      message: problem,
    })
  })
