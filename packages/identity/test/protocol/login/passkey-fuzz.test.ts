import assert from 'node:assert/strict'
import type { Answer, FlowAnswer } from '../../../src/testing/answers.ts'
import { Authenticator, optionsIn } from '../../../src/testing/authenticator.ts'
import { damageBytes, pick, STRANGE, seeded } from '../../input/mutate.ts'
import { runs, SEED } from '../../input/sample.ts'
import { testOn } from '../../kit/databases.ts'
import { createTestIdentity } from '../../kit/kit.ts'
import { PASSKEYS, service, withPasskey } from '../../kit/passkeys.ts'

/** Per kind. */
const TIMES = runs(100, 2000)

// A refusal only reads the key from the database.

testOn('SQLite', 'FUZ-08 a damaged response signs no one in, and causes no error', async () => {
  const identity = await createTestIdentity({ ...PASSKEYS, limits: { password: 'off' } })
  const { key } = await withPasskey(identity)
  const app = identity.app()
  const flow = await app.open('login')
  const asked = optionsIn(flow, 'passkey_challenge')
  const whole = JSON.parse(key.get(asked))
  const chance = seeded(SEED)
  for (let count = 0; count < TIMES; count += 1) {
    const damaged = damage(chance, whole, meaningOfAssertion)
    assertRefused(await app.submit(flow, { method: 'passkey', passkey_login: damaged }), damaged)
  }
  const done: Answer = await app.submit(flow, { method: 'passkey', passkey_login: JSON.stringify(whole) })
  assert.equal(done.status, 200, 'the undamaged response is valid')
})

testOn('SQLite', 'FUZ-08 a damaged passkey is not added, and causes no error', async () => {
  const identity = await service()
  const { browser } = await withPasskey(identity)
  const flow = await browser.open('settings')
  const whole = JSON.parse(new Authenticator().create(optionsIn(flow, 'passkey_create_data')))
  const chance = seeded(SEED)
  const add = (answer: string): Promise<FlowAnswer> =>
    browser.submit(flow, { method: 'passkey', passkey_settings_register: answer })
  for (let count = 0; count < TIMES; count += 1) {
    const damaged = damage(chance, whole, meaningOfAttestation)
    assertRefused(await add(damaged), damaged)
  }
  assert.equal((await add(JSON.stringify(whole))).status, 200, 'the undamaged response is valid')
})

function assertRefused({ status, body }: Answer, damaged: string): void {
  assert.equal(status, 400, `answered ${status} to ${damaged}`)
  assert.ok(body.ui, 'the form is there to try again')
}

interface Whole {
  readonly [name: string]: unknown
  readonly response: Readonly<Record<string, string>>
}

type Meaning = (answer: Whole) => unknown

function damage(chance: () => number, whole: Whole, meaning: Meaning): string {
  const right = JSON.stringify(meaning(whole))
  for (;;) {
    const text = pick(chance, [damageBytesOf, damageMember, damageText])(chance, whole)
    if (text !== '' && JSON.stringify(meaningOf(text, meaning)) !== right) return text
  }
}

function meaningOf(text: string, meaning: Meaning): unknown {
  try {
    return meaning(JSON.parse(text))
  } catch {
    return undefined
  }
}

function damageBytesOf(chance: () => number, whole: Whole): string {
  const name = pick(chance, Object.keys(whole.response))
  const bytes = damageBytes(chance, Buffer.from(whole.response[name] ?? '', 'base64url'))
  return JSON.stringify({ ...whole, response: { ...whole.response, [name]: bytes.toString('base64url') } })
}

function damageMember(chance: () => number, whole: Whole): string {
  const inside = chance() < 0.6
  const of: Readonly<Record<string, unknown>> = inside ? whole.response : whole
  const name = pick(chance, Object.keys(of))
  const changed: Record<string, unknown> = { ...of, [name]: pick(chance, STRANGE) }
  if (chance() < 0.3) delete changed[name]
  return JSON.stringify(inside ? { ...whole, response: changed } : changed)
}

function damageText(chance: () => number, whole: Whole): string {
  return damageBytes(chance, Buffer.from(JSON.stringify(whole))).toString()
}

function meaningOfAssertion({ id, rawId, type, response }: Whole): unknown {
  const { authenticatorData, clientDataJSON, userHandle } = response
  const signature = withoutFrame(Buffer.from(response.signature ?? '', 'base64url'))
  return [id, rawId, type, ...[authenticatorData, clientDataJSON, signature].map(hex), userHandle]
}

/** Nothing reads the sequence length or trailing bytes. */
function withoutFrame(signature: Buffer): Buffer {
  const second = 4 + (signature[3] ?? 0)
  return signature.subarray(0, second + 2 + (signature[second + 1] ?? 0)).fill(0, 1, 2)
}

function meaningOfAttestation({ id, rawId, type, response }: Whole): unknown {
  const client = JSON.parse(Buffer.from(response.clientDataJSON ?? '', 'base64url').toString())
  const object = Buffer.from(response.attestationObject ?? '', 'base64url')
  return [id, rawId, type, client.type, client.challenge, client.origin, hex(withoutFree(object))]
}

const HEAD = 'a363666d74646e6f6e656761747453746d74a068617574684461746158'.length / 2 + 1
/** Empty attestation statement, counter, model and outer lengths. */
const FREE = [
  [-12, -11],
  [-1, 0],
  [33, 53],
  [131, 132],
] as const
/** "Backup eligible", "backed up" and reserved bits. */
const FREE_FLAGS = 0x3a

function withoutFree(object: Buffer): Buffer {
  const copy = Buffer.alloc(HEAD + 164)
  object.copy(copy)
  for (const [from, to] of FREE) copy.fill(0, HEAD + from, HEAD + to)
  copy[HEAD + 32] = (copy[HEAD + 32] ?? 0) & ~FREE_FLAGS
  return copy
}

function hex(bytes: unknown): unknown {
  if (Buffer.isBuffer(bytes)) return bytes.toString('hex')
  return typeof bytes === 'string' ? Buffer.from(bytes, 'base64url').toString('hex') : bytes
}
