import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ProtocolError } from '../../errors/errors.ts'
import { createPasswordHasher, type HasherParts } from './password-hash.ts'

const MEBIBYTE = 1024 * 1024
const optionsOf = (memory = 64 * 1024, iterations = 1) => ({
  algorithm: 'argon2' as const,
  bcrypt: { cost: 4 },
  argon2: { memory, iterations, parallelism: 1, salt_length: 16, key_length: 32 },
  check_duration: 0,
})

function fakeArgon2() {
  const calls: { kind: 'hash' | 'verify'; hash?: string; finish: () => void }[] = []
  const until = <T>(kind: 'hash' | 'verify', value: T, hash?: string) =>
    new Promise<T>((resolve) => {
      calls.push({ kind, ...(hash === undefined ? {} : { hash }), finish: () => resolve(value) })
    })
  const argon2: HasherParts['argon2'] = {
    hash: () => until('hash', '$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$a2V5'),
    verify: (hash) => until('verify', true, String(hash)),
  }
  return { argon2, calls }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('verifies only the original password and stores the cost', async () => {
  const hasher = createPasswordHasher(optionsOf())
  const hash = await hasher.hash('correct horse')
  assert.match(hash, /^\$argon2id\$v=19\$m=64,t=1,p=1\$[^$]{22}\$[^$]{43}$/)
  assert.equal(await hasher.verify('correct horse', hash), true)
  assert.equal(await hasher.verify('Correct horse', hash), false)
  assert.notEqual(await hasher.hash('correct horse'), hash)
})

test('SEC-15 distinguishes passwords by their end, a NUL or a space', async () => {
  const hasher = createPasswordHasher(optionsOf())
  const pairs = [72, 128, 1023].map((length) => [`${'a'.repeat(length)}b`, `${'a'.repeat(length)}c`])
  pairs.push(['one\0two', 'one\0three'], ['secret', 'secret\0'], ['secret', ' secret'], ['secret', 'secret '])
  for (const [password, other] of pairs) {
    const hash = await hasher.hash(password!)
    assert.equal(await hasher.verify(password!, hash), true)
    assert.equal(await hasher.verify(other!, hash), false)
  }
})

test('SEC-15 accepts any Unicode composition', async () => {
  const hasher = createPasswordHasher(optionsOf())
  const property = fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.boolean(), async (password, same) => {
    const other = same ? password.normalize('NFD') : `${password.slice(1)}x`
    const expected = password.normalize('NFKC') === other.normalize('NFKC')
    assert.equal(await hasher.verify(other, await hasher.hash(password)), expected)
  })
  await fc.assert(property, { numRuns: 500 })
})

test('SEC-15 rejects more than 1,024 characters before hashing', async () => {
  const { argon2, calls } = fakeArgon2()
  const hasher = createPasswordHasher(optionsOf(), { argon2 })
  // The last is longer once it is normalized.
  for (const password of [
    'a'.repeat(1025),
    '😀'.repeat(1025),
    'a'.repeat(10_000_000),
    '\ufdfa'.repeat(100),
  ]) {
    await assert.rejects(hasher.hash(password), RangeError)
    assert.equal(await hasher.verify(password, '$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$a2V5'), false)
    assert.equal(await hasher.verifyDummy(password), false)
  }
  assert.equal(calls.length, 0)
  const longest = hasher.hash('😀'.repeat(1024))
  calls[0]!.finish()
  await longest
})

test('SEC-14 spends one hash on an unknown account, in the same queue', async () => {
  const { argon2, calls } = fakeArgon2()
  const hasher = createPasswordHasher(optionsOf(19 * MEBIBYTE, 2), {
    argon2,
    cores: 1,
    threads: 4,
    queueLength: 1,
  })
  const known = hasher.verify('secret', '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$a2V5')
  const unknown = hasher.verifyDummy('secret')
  await assert.rejects(hasher.verifyDummy('secret'), ProtocolError)
  assert.equal(calls.length, 1)
  calls[0]!.finish()
  assert.equal(await known, true)
  await settle()
  calls[1]!.finish()
  // Even with a matching digest.
  assert.equal(await unknown, false)
  assert.equal(calls.length, 2)
  assert.match(calls[1]!.hash!, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('SEC-14 computes the dummy hash with argon2', async () => {
  const hasher = createPasswordHasher(optionsOf())
  assert.equal(await hasher.verifyDummy('secret'), false)
})

test('SEC-14 rejects an unknown format at the usual cost', async () => {
  const { argon2, calls } = fakeArgon2()
  const hasher = createPasswordHasher(optionsOf(), { argon2 })
  for (const hash of ['', 'plain', '$unknown$1$x']) {
    const answer = hasher.verify('secret', hash)
    calls.at(-1)!.finish()
    assert.equal(await answer, false)
  }
  assert.equal(calls.length, 3)
})

test('FLT-20 runs one hash per core and leaves two threads free', async () => {
  const cases = [
    { cores: 2, threads: 4, expected: 2 },
    { cores: 16, threads: 4, expected: 2 },
    { cores: 4, threads: 64, expected: 4 },
    { cores: 1, threads: 4, expected: 1 },
    { cores: 8, threads: 1, expected: 1 },
  ]
  for (const { expected, ...parts } of cases) {
    const { argon2, calls } = fakeArgon2()
    const hasher = createPasswordHasher(optionsOf(), { argon2, ...parts })
    const answers = Array.from({ length: 20 }, () => hasher.hash('secret'))
    for (let done = 0; done < 20; done++) {
      assert.equal(calls.length, Math.min(20, done + expected))
      calls[done]!.finish()
      await settle()
    }
    await Promise.all(answers)
  }
})

test('FLT-21 sends Retry-After when the queue is full', async () => {
  const { argon2, calls } = fakeArgon2()
  const hasher = createPasswordHasher(optionsOf(19 * MEBIBYTE, 2), { argon2, cores: 2, threads: 4 })
  const offered = Array.from({ length: 500 }, (_, index) =>
    (index % 2 === 0 ? hasher.verifyDummy('x') : hasher.hash('x')).then(
      () => 'served',
      (error: unknown) => error,
    ),
  )
  await settle()
  for (let done = 0; done < 92; done++) {
    calls[done]!.finish()
    await settle()
  }
  const answers = await Promise.all(offered)
  assert.equal(calls.length, 92)
  assert.deepEqual(
    answers.map((answer, index) => (answer === 'served') === index < 92),
    answers.map(() => true),
  )
  for (const refused of answers.slice(92)) {
    assert.ok(refused instanceof ProtocolError)
    assert.equal(refused.parts.status, 503)
    assert.equal(refused.parts.retryAfter, 1)
  }
})

test('FLT-21 shortens the queue when hashes cost more', async () => {
  const { argon2, calls } = fakeArgon2()
  const hasher = createPasswordHasher(optionsOf(64 * MEBIBYTE, 3), { argon2, cores: 2, threads: 4 })
  const answers = await Promise.race([
    Promise.allSettled(Array.from({ length: 100 }, () => hasher.hash('x'))),
    settle().then(() => calls.length),
  ])
  assert.equal(answers, 2)
  for (let done = 0; done < 20; done++) {
    calls[done]!.finish()
    await settle()
  }
  assert.equal(calls.length, 20)
})

test('frees the slot of a failed hash', async () => {
  const hasher = createPasswordHasher(optionsOf(), { cores: 1, threads: 4 })
  for (let turn = 0; turn < 3; turn++) await assert.rejects(hasher.verify('x', '$argon2id$broken'))
  assert.equal(await hasher.verifyDummy('x'), false)
})

test('replaces a weaker hash at the next sign-in', async () => {
  const weak = createPasswordHasher(optionsOf(64 * 1024, 1))
  const strong = createPasswordHasher(optionsOf(128 * 1024, 2))
  assert.equal(weak.needsRehash(await weak.hash('x'), 'x'), false)
  assert.equal(strong.needsRehash(await weak.hash('x'), 'x'), true)
  assert.equal(weak.needsRehash(await strong.hash('x'), 'x'), false)
  assert.equal(weak.needsRehash('$2a$12$abcdefghijklmnopqrstuv', 'x'), true)
})

test('reuses the salt and cost of another hash', async () => {
  const hash = await createPasswordHasher(optionsOf()).hash('first')
  const hasher = createPasswordHasher(optionsOf(128 * 1024, 2))
  assert.equal(await hasher.hashArgon2('first', hash), hash)
  const other = await hasher.hashArgon2('second', hash)
  assert.equal(other.slice(0, other.lastIndexOf('$')), hash.slice(0, hash.lastIndexOf('$')))
  assert.notEqual(other, hash)
  await assert.rejects(hasher.hashArgon2('first', '$2a$10$abc'), RangeError)
})

test('hashes with bcrypt if it is configured', async () => {
  const hasher = createPasswordHasher({ ...optionsOf(), algorithm: 'bcrypt' })
  const hash = await hasher.hash('correct horse')
  assert.match(hash, /^\$2[aby]\$04\$/)
  assert.equal(await hasher.verify('correct horse', hash), true)
  assert.equal(await hasher.verify('Correct horse', hash), false)
  assert.equal(await hasher.verifyDummy('correct horse'), false)
  const composed = await hasher.hash('pass\u00e9word')
  assert.equal(await hasher.verify('passe\u0301word', composed), true)
})

test('SEC-15 hashes what bcrypt would cut off with Argon2id', async () => {
  const hasher = createPasswordHasher({ ...optionsOf(), algorithm: 'bcrypt' })
  const long = 'a'.repeat(73)
  const hash = await hasher.hash(long)
  assert.match(hash, /^\$argon2id\$/)
  assert.equal(await hasher.verify(long, hash), true)
  assert.equal(await hasher.verify('a'.repeat(72), hash), false)
  assert.equal(hasher.needsRehash(hash, long), false)
  const shorter = await hasher.hash('a'.repeat(72))
  assert.equal(await hasher.verify(long, shorter), false)
})

test('replaces hashes of another algorithm or a lower cost', async () => {
  const old = createPasswordHasher(optionsOf())
  const hasher = createPasswordHasher({ ...optionsOf(), algorithm: 'bcrypt', bcrypt: { cost: 5 } })
  const weaker = createPasswordHasher({ ...optionsOf(), algorithm: 'bcrypt' })
  const hash = await old.hash('x')
  assert.equal(await hasher.verify('x', hash), true)
  assert.equal(hasher.needsRehash(hash, 'x'), true)
  assert.equal(hasher.needsRehash(await weaker.hash('x'), 'x'), true)
  assert.equal(hasher.needsRehash(await hasher.hash('x'), 'x'), false)
  assert.equal(old.needsRehash(await hasher.hash('x'), 'x'), true)
})

test('SEC-109 checks take as long without an account as with an imported hash', async () => {
  const waited: number[] = []
  const { argon2, calls } = fakeArgon2()
  const sleep = async (milliseconds: number) => void waited.push(milliseconds)
  const hasher = createPasswordHasher(optionsOf(19 * MEBIBYTE, 2), { argon2, sleep })
  const own = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$a2V5'
  const check = async (hash?: string) => {
    waited.length = 0
    const answer = hash === undefined ? hasher.verifyDummy('x') : hasher.verify('x', hash)
    calls.at(-1)!.finish()
    await answer
    return waited[0] ?? 0
  }
  for (const hash of [undefined, own]) assert.equal(await check(hash), 0)
  const imported = '$2y$10$KBCwKxOzLha2MUDgW0PjXeGOlGqsDPd.uBEO/4K0.DOndoiCNxx2e'
  assert.equal(hasher.accepts(imported), true)
  const half = 22 + 250 / 4
  // The clock runs while a bcrypt hash is computed.
  for (const hash of [undefined, own]) {
    const pause = await check(hash)
    assert.ok(pause > 2 * half - 40 && pause < 2 * half + 1, `${pause} ms`)
  }
})

test('SEC-109 a former system takes part of the configured time', async () => {
  const waited: number[] = []
  const sleep = async (milliseconds: number) => void waited.push(milliseconds)
  const hasher = createPasswordHasher({ ...optionsOf(), check_duration: 60_000 }, { sleep })
  const order: string[] = []
  const elsewhere = async () => order.push(`waited ${waited.length} times`) > 0
  assert.equal(await hasher.verifyDummy('x', {}, elsewhere), true)
  assert.deepEqual(order, ['waited 0 times'])
  assert.equal(await hasher.verifyDummy('x'), false)
  assert.ok(waited.length === 2 && waited.every((pause) => pause > 30_000))
})
