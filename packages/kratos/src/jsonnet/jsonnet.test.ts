import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compile, writtenError } from './jsonnet.ts'

const GITHUB = `local claims = {
  email_verified: false,
} + std.extVar('claims');

{
  identity: {
    traits: {
      // Allowing unverified email addresses enables account
      // enumeration attacks, if the value is used for
      // verification or as a password login identifier.
      [if 'email' in claims && claims.email_verified then 'email' else null]: claims.email,
      name: std.join(' ', [claims.given_name, claims.family_name]),
    },
    metadata_public: { github_username: claims.username },
    verified_addresses: std.prune([
      if 'email' in claims && claims.email_verified then { via: 'email', value: claims.email },
    ]),
  },
}`

test("evaluates a provider's mapper of Kratos' documentation", () => {
  const claims = { username: 'ada', given_name: 'Ada', family_name: 'Lovelace', email: 'ada@example.com' }
  const traits = { name: 'Ada Lovelace' }
  const metadata_public = { github_username: 'ada' }
  const mapper = compile(GITHUB)
  assert.deepEqual(mapper({ variables: { claims } }), {
    identity: { traits, metadata_public, verified_addresses: [] },
  })
  assert.deepEqual(mapper({ variables: { claims: { ...claims, email_verified: true } } }), {
    identity: {
      traits: { ...traits, email: 'ada@example.com' },
      metadata_public,
      verified_addresses: [{ via: 'email', value: 'ada@example.com' }],
    },
  })
})

test("evaluates a web hook's body of Kratos' documentation", () => {
  const body = compile(`function(ctx) {
    userId: ctx.identity.id,
    traits: { email: ctx.identity.traits.email, newsletter: if 'consents' in ctx.identity.traits then 'yes' else 'no' },
    headers: std.get(ctx.request_headers, 'Accept', default='none'),
    text: |||
      Hello %(name)s
    ||| % { name: std.asciiUpper(ctx.identity.traits.email) },
  }`)
  const ctx = { identity: { id: 'one', traits: { email: 'ada@example.com' } }, request_headers: {} }
  assert.deepEqual(body({ args: { ctx } }), {
    userId: 'one',
    traits: { email: 'ada@example.com', newsletter: 'no' },
    headers: 'none',
    text: 'Hello ADA@EXAMPLE.COM\n',
  })
})

test('objects inherit, override, hide and refer to themselves', () => {
  const code = `local base = { a: 1, b: self.a + 1, hidden:: 3, list: [1], deep: { x: $.a } };
    base { a: 10, list+: [2, super.b, super.hidden], assert self.a > 5 : 'too small' }`
  assert.deepEqual(compile(code)({}), { a: 10, b: 11, deep: { x: 10 }, list: [1, 2, 11, 3] })
})

test('an error says what the program says', () => {
  assert.throws(() => compile("error 'cancel'")({}), { message: 'cancel' })
  assert.throws(() => compile('{ a: missing }')({}), { message: 'unknown variable: missing' })
  assert.throws(() => compile('{\n  a: [1,\n')({}), { message: 'unexpected end of file (line 3)' })
})

test('knows an error whose text is in the program from one that quotes its input', () => {
  const writtenBy = (code: string) => {
    try {
      return compile(code)({ variables: { input: 'cancel' } })
    } catch (error) {
      return writtenError(error) ?? 'not written'
    }
  }
  for (const code of ["error 'cancel'", "error ('cancel')", "assert false : 'cancel'; 1"])
    assert.equal(writtenBy(code), 'cancel', code)
  for (const code of QUOTING) assert.equal(writtenBy(code), 'not written', code)
})

/** Programs whose error contains the external variable `input`. */
const QUOTING = [
  "{ a: 1 }[std.extVar('input')]",
  "std.parseInt(std.extVar('input'))",
  "std.parseHex(std.extVar('input'))",
  "std.extVar(std.extVar('input'))",
  "error std.extVar('input')",
  "error 'no plan ' + std.extVar('input')",
  "assert false : std.extVar('input'); 1",
  "{ assert false : std.extVar('input') }",
  "std.assertEqual(std.extVar('input'), 'x')",
  "{ [key]: 1 for key in [std.extVar('input'), std.extVar('input')] }",
]

test('reads no file and no environment', () => {
  for (const word of ['import', 'importstr', 'importbin'])
    assert.throws(() => compile(`${word} '/etc/passwd'`), /is not available/)
  assert.throws(() => compile("std.extVar('HOME')")({}), /undefined external variable/)
})

test('a run that would not end, or would fill the memory, fails', () => {
  const long = /takes too long/
  const deep = /max stack frames exceeded/
  for (const [code, message] of [
    ['local f(x) = f(x + 1); f(0)', deep],
    ['local a = { b: a { c: 1 } }; a', deep],
    ['[x for x in std.range(1, 1e9)]', long],
    ['std.foldl(function(so, x) so + so, std.range(1, 100), "ab")', long],
    ['std.foldl(function(so, x) so + so, std.range(1, 100), [1])', long],
    ["std.repeat('x', 1e9)", long],
    ["'%1000000000d' % 1", long],
    ["'%*.*d' % [-2e8, 2e8, 1]", long],
    ['local n = std.length(std.repeat([1], -1e9)); [x for x in std.range(n, 300000)]', long],
    ["local text = '%*d' % [-1e9, 1]; [std.length(text), std.range(1, 300000)]", long],
    ["std.repeat('%(a)s', 10000) % { a: std.repeat('x', 60000) }", long],
    ["local key = std.repeat('k', 10000); [{ [key]: 1 } for x in std.range(1, 100)]", long],
    ["std.findSubstr(std.repeat('a', 50000), std.repeat('a', 90000))", long],
    ["std.member(std.repeat('a', 90000), std.repeat('a', 25000) + 'b' + std.repeat('a', 25000))", long],
    ["std.split(std.repeat('a', 90000), std.repeat('a', 25000) + 'b' + std.repeat('a', 25000))", long],
    ["local a = std.repeat('a', 50000), b = a + 'b'; [a < b for x in std.range(1, 1000)]", long],
    ["std.manifestJson(std.foldl(function(so, x) [so], std.range(1, 400), std.range(1, 40000))) == ''", long],
    ['[[x, y] for x in std.range(1, 5000) for y in std.range(1, 5000)]', long],
    ['local a = std.range(1, 900); local b = [a for x in a]; [b for x in a]', long],
    ["std.strReplace(std.repeat('x', 10000), 'x', std.repeat('y', 100000))", long],
    ['std.length(std.flattenArrays(std.repeat([std.range(1, 90000)], 50000)))', long],
    ["std.join(std.repeat('x', 100000), std.makeArray(10000, function(i) 'y'))", long],
  ] as const) {
    assert.throws(() => compile(code)({}), message, code)
  }
})

test('an input of 100 KB takes no quadratic time', () => {
  const many = Object.fromEntries(Array.from({ length: 8000 }, (_, at) => [`key${at}`, at]))
  const has = compile("[std.objectHas(std.extVar('claims'), 'key1') for x in std.range(1, 1000)]")
  assert.throws(() => has({ variables: { claims: many } }), /takes too long/)
  const format = compile("std.extVar('text') % {}")
  const started = process.cpuUsage()
  assert.throws(() => format({ variables: { text: '%('.repeat(50_000) } }), /unknown format %\(/)
  assert.throws(() => format({ variables: { text: 'a'.repeat(600_000) } }), /takes too long/)
  assert.throws(() => compile('/*'.repeat(50_000)), /unexpected "\/"/)
  assert.throws(() => compile('x|||\n'.repeat(20_000)), /unexpected "\|"/)
  const strip = compile("std.stripChars(std.extVar('text'), std.extVar('chars'))")
  const text = 'a'.repeat(100_000)
  assert.equal(strip({ variables: { text, chars: `${'b'.repeat(100_000)}a` } }), '')
  assert.ok(process.cpuUsage(started).user < 1_000_000)
})

test('input costs by its size, and a bad code point is named', () => {
  const many = Object.fromEntries(Array.from({ length: 300_000 }, (_, at) => [`key${at}`, at]))
  const program = compile("local claims = std.extVar('claims'); { n: std.length(claims) }")
  assert.deepEqual(program({ variables: { claims: { a: 1 } } }), { n: 1 })
  assert.throws(() => program({ variables: { claims: many } }), /takes too long/)
  assert.throws(() => compile('std.char(-1)')({}), /std\.char: -1 is not a code point/)
})
