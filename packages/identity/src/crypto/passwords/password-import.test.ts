import assert from 'node:assert/strict'
import { createHash, createHmac, pbkdf2Sync, scryptSync } from 'node:crypto'
import { test } from 'node:test'
import { createPasswordHasher } from './password-hash.ts'
import { expectedCost, isImportableHash } from './password-import.ts'

const PASSWORD = 'correct horse 7 battery'
const SALT = Buffer.from('0123456789abcdef')
const LEGACY = ['md5', 'sha1', 'sha256', 'sha512']

const b64 = (data: string | Buffer) => Buffer.from(data).toString('base64')
const raw = (data: Buffer) => b64(data).replace(/=+$/, '')
const digest = (name: string, data: string | Buffer) => createHash(name).update(data).digest()

const hasher = createPasswordHasher(
  {
    algorithm: 'argon2',
    bcrypt: { cost: 12 },
    argon2: { memory: 64 * 1024, iterations: 1, parallelism: 1, salt_length: 16, key_length: 32 },
    check_duration: 0,
  },
  // Each check would last as long as the most expensive hash so far.
  { sleep: async () => {} },
)

function pbkdf2(name: string, digestName = name): string {
  return `$pbkdf2-${name}$i=1000,l=32$${raw(SALT)}$${raw(pbkdf2Sync(PASSWORD, SALT, 1000, 32, digestName))}`
}

function salted(name: string): string {
  return b64(Buffer.concat([digest(name, Buffer.concat([Buffer.from(PASSWORD), SALT])), SALT]))
}

const HASHES: Readonly<Record<string, string>> = {
  bcrypt: '$2y$04$KBCwKxOzLha2MUDgW0PjXeGOlGqsDPd.uBEO/4K0.DOndoiCNxx2e',
  'pbkdf2 sha1': pbkdf2('sha1'),
  'pbkdf2 sha256': pbkdf2('sha256'),
  'pbkdf2 sha512': pbkdf2('sha512'),
  'pbkdf2 sha224, which means SHA-3': pbkdf2('sha224', 'sha3-224'),
  'pbkdf2 sha384, which means SHA-3': pbkdf2('sha384', 'sha3-384'),
  scrypt: `$scrypt$ln=1024,r=8,p=1$${b64(SALT)}$${b64(scryptSync(PASSWORD, SALT, 32, { N: 1024, r: 8, p: 1 }))}`,
  'crypt(3) md5': '$md5-crypt$abcdefgh$0K/LDZ9fwvtbVu64UmUpa0',
  'crypt(3) sha256': '$sha256-crypt$rounds=1000$abcdefgh$sO4dK0UjPh1m/EY7TDNLD6jHmSEBJLZ4Wc9b.UkTOeD',
  'crypt(3) sha512':
    '$sha512-crypt$abcdefgh$PF9SEpBID126oNJahkbaNV43oCG1OPlncSzfbMQK4c.drhJFdua7GYJmID.aWYg9MCueREHAga3iD8af4Wemn1',
  ssha: `{SSHA}${salted('sha1')}`,
  ssha256: `{SSHA256}${salted('sha256')}`,
  ssha512: `{SSHA512}${salted('sha512')}`,
  ...Object.fromEntries(LEGACY.map((name) => [name, `$${name}$${b64(digest(name, PASSWORD))}`])),
  ...Object.fromEntries(
    LEGACY.map((name) => [
      `${name} without a salt`,
      `$${name}$pf=${b64('{PASSWORD}')}$$${b64(digest(name, PASSWORD))}`,
    ]),
  ),
  'ssha without a salt': `{SSHA}${b64(digest('sha1', PASSWORD))}`,
  'pbkdf2 without a salt': `$pbkdf2-sha256$i=1000,l=32$$${raw(pbkdf2Sync(PASSWORD, '', 1000, 32, 'sha256'))}`,
  ...Object.fromEntries(
    LEGACY.map((name) => [
      `${name} by a template`,
      `$${name}$pf=${b64('{SALT}$${PASSWORD}')}$${b64(SALT)}$${b64(digest(name, `${SALT}$$${PASSWORD}`))}`,
    ]),
  ),
  ...Object.fromEntries(
    ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'].map((name) => [
      `hmac ${name}`,
      `$hmac-${name}$${b64(createHmac(name, 'key').update(PASSWORD).digest('hex'))}$${b64('key')}`,
    ]),
  ),
}

for (const [name, hash] of Object.entries(HASHES)) {
  test(`verifies a password imported as ${name}`, async () => {
    assert.ok(isImportableHash(hash))
    assert.equal(await hasher.verify(PASSWORD, hash), true)
    assert.equal(await hasher.verify('another one', hash), false)
    assert.equal(hasher.needsRehash(hash, PASSWORD), true)
  })
}

test('verifies a Firebase password', async () => {
  const signer = 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=='
  const stored = 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=='
  const hash = `$firescrypt$ln=14,r=8,p=1$42xEC+ixf3L2lw==$${stored}$Bw==$${signer}`
  assert.equal(await hasher.verify('user1password', hash), true)
  assert.equal(await hasher.verify('user2password', hash), false)
})

test("rejects passwords beyond bcrypt's 72 bytes", async () => {
  assert.equal(await hasher.verify(PASSWORD.padEnd(73, 'x'), HASHES.bcrypt!), false)
})

test('rejects overlong crypt(3) passwords before hashing', async () => {
  const slow = HASHES['crypt(3) sha256']!.replace('rounds=1000', 'rounds=1000000')
  const before = process.cpuUsage()
  assert.equal(await hasher.verify('\u20ac'.repeat(1024), slow), false)
  const { user, system } = process.cpuUsage(before)
  assert.ok(user + system < 500_000, `${user + system} µs`)
})

test('rejects a hash that never matches or costs too much', () => {
  const refused = [
    '',
    'plain words',
    '$whirlpool$abc',
    '$argon2id$',
    '$pbkdf2-sha256$i=1000,l=32$',
    '$2y$16$KBCwKxOzLha2MUDgW0PjXeGOlGqsDPd.uBEO/4K0.DOndoiCNxx2e',
    '$argon2id$v=19$m=1048577,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA',
    '$argon2i$v=19$m=1024,t=1,p=1$c2FsdHNhbHQ$abc',
    '$argon2i$v=19$m=1024,t=1,p=1$c2FsdA$aGFzaGhhc2hoYXNoaGFzaA',
    '$argon2i$v=19$m=1024,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaGhhc',
    '$argon2i$v=19$m=8,t=1,p=2$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA',
    // Takes most of ten seconds.
    '$argon2id$v=19$m=1048576,t=5,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA',
    // The library throws on a leading zero and on stray bits.
    '$argon2id$v=19$m=01024,t=1,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA',
    '$argon2id$v=19$m=1024,t=1,p=1$c2FsdHNhbHR$aGFzaGhhc2hoYXNoaGFzaA',
    HASHES['pbkdf2 sha256']!.replace('i=1000', 'i=10000001'),
    HASHES['pbkdf2 sha256']!.replace('i=1000,l=32', 'i=10000000,l=33'),
    HASHES.scrypt!.replace('ln=1024', 'ln=1048576'),
    HASHES.scrypt!.replace('r=8', 'r=8000'),
    HASHES.scrypt!.replace('p=1', 'p=1000'),
    HASHES['crypt(3) sha256']!.replace('rounds=1000', 'rounds=1100000'),
    HASHES['md5 by a template']!.replace('$pf=', `$pf=${b64('{PASSWORD}'.repeat(1000))}`),
    HASHES.scrypt!.replace('ln=1024', 'ln=1000'),
  ]
  for (const hash of refused) assert.equal(isImportableHash(hash), false, hash)
})

test('SEC-128 rejects a hash that any password may match', async () => {
  const salt = b64(SALT)
  const short = b64(SALT.subarray(0, 15))
  const refused = [
    `$scrypt$ln=16384,r=8,p=1$${salt}$A`,
    `$scrypt$ln=16384,r=8,p=1$${salt}$_`,
    `$scrypt$ln=14,r=8,p=1$${salt}$${short}`,
    `$firescrypt$ln=14,r=8,p=1$${salt}$A$Bw==$A`,
    `$firescrypt$ln=14,r=8,p=1$${salt}$${short}$Bw==$${short}`,
    `$pbkdf2-sha256$i=1000,l=1$${raw(SALT)}$AA`,
    `$pbkdf2-sha256$i=1000,l=15$${raw(SALT)}$${short}`,
    `$argon2id$v=19$m=16,t=1,p=1$${raw(SALT)}$${short}`,
    '{SSHA}AA',
    '$md5$A',
    `$md5$pf=${b64('{PASSWORD}')}$$A`,
    `$md5$pf=${b64('{SALT}')}$${salt}$${b64(digest('md5', SALT))}`,
    `$sha256$pf=${b64('password')}$$${b64(digest('sha256', 'password'))}`,
    '$hmac-md5$A$A',
  ]
  for (const hash of refused) {
    assert.equal(isImportableHash(hash), false, hash)
    assert.equal(await hasher.verify(PASSWORD, hash).catch(() => false), false, hash)
  }
})

test('SEC-109 bounds the cost of a hash, not single parameters', () => {
  const accepted = [
    '$argon2id$v=19$m=1024,t=100,p=32$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA',
    '$argon2id$v=19$m=1048576,t=4,p=4$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA',
    '$2b$15$KBCwKxOzLha2MUDgW0PjXeGOlGqsDPd.uBEO/4K0.DOndoiCNxx2e',
    HASHES.scrypt!.replace('ln=1024', 'ln=262144'),
    HASHES.scrypt!.replace('ln=1024,r=8,p=1', 'ln=1024,r=64,p=16'),
    HASHES['pbkdf2 sha256']!.replace('i=1000,l=32', 'i=1000,l=1024'),
  ]
  for (const hash of accepted) {
    const cost = expectedCost(hash)
    assert.ok(cost !== undefined && cost <= 2_500, hash)
  }
})

test('verifies scrypt with the parameters of Better Auth and Lucia', async () => {
  const key = scryptSync(PASSWORD, SALT, 64, { N: 16_384, r: 16, p: 1, maxmem: 2 ** 26 })
  for (const ln of [16_384, 14]) {
    const hash = `$scrypt$ln=${ln},r=16,p=1$${b64(SALT)}$${b64(key)}`
    assert.ok(isImportableHash(hash))
    assert.equal(await hasher.verify(PASSWORD, hash), true)
    assert.equal(await hasher.verify('another one', hash), false)
  }
})
