import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { type FlowAnswer, nodeOf } from './answers.ts'

export const RP = { id: 'app.test', display_name: 'Example App', origins: ['http://app.test'] }

/** Defects of an authenticator and its browser. */
export interface Lie {
  readonly challenge?: string
  readonly type?: string
  readonly origin?: string
  readonly rpId?: string
  readonly userVerified?: boolean
  readonly counter?: number
  readonly userHandle?: string
  readonly key?: KeyObject
  /** A point on no curve. */
  readonly unusable?: boolean
  /** An RSA key of this size. */
  readonly rsaBits?: number
  /** CBOR statement. */
  readonly attestation?: { readonly fmt: string; readonly statement: Buffer }
}

interface HeldKey {
  readonly id: string
  readonly key: KeyObject
  readonly userHandle: string
  counter: number
}

/** A site as an authenticator knows it. */
export interface RelyingParty {
  readonly id: string
  readonly origins: readonly string[]
}

/** An authenticator with its browser. Uses ES256 without attestation by default. */
export class Authenticator {
  readonly keys: HeldKey[] = []
  readonly #site: { readonly rpId: string; readonly origin: string }

  constructor({ id, origins }: RelyingParty = RP) {
    this.#site = { rpId: id, origin: origins[0] ?? `https://${id}` }
  }

  /**
   * Returns the response to `navigator.credentials.create` as a form value. Throws `InvalidStateError` for
   * a second key of an account.
   */
  create(options: Options, lies: Lie = {}): string {
    const { excludeCredentials = [] } = options.publicKey
    if (excludeCredentials.some(({ id }) => this.keys.some((held) => held.id === id)))
      throw new DOMException('this authenticator has a key of the account', 'InvalidStateError')
    const lie = { ...this.#site, ...lies }
    const { privateKey, cose } = lie.rsaBits === undefined ? elliptic(lie) : rsa(lie.rsaBits)
    const id = randomBytes(32)
    const user = options.publicKey.user?.id ?? ''
    this.keys.push({ id: id.toString('base64url'), key: privateKey, userHandle: user, counter: 0 })
    const length = Buffer.from([0, id.length])
    const data = Buffer.concat([authenticatorData(0x40, 0, lie), Buffer.alloc(16), length, id, cose])
    const { fmt, statement } = lie.attestation ?? { fmt: 'none', statement: Buffer.from([0xa0]) }
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      ...[cborText('fmt'), cborText(fmt), cborText('attStmt'), statement, cborText('authData')],
      cborBytes(data),
    ]).toString('base64url')
    const clientDataJSON = clientData(options, 'webauthn.create', lie).toString('base64url')
    return answer(id.toString('base64url'), { attestationObject, clientDataJSON })
  }

  /** Returns the newest key's response to `navigator.credentials.get`. */
  get(options: Options, lies: Lie = {}): string {
    const lie = { ...this.#site, ...lies }
    const held = this.keys.at(-1)
    if (!held) throw new Error('this authenticator holds no key')
    held.counter = lie.counter ?? held.counter + 1
    const data = authenticatorData(0, held.counter, lie)
    const client = clientData(options, 'webauthn.get', lie)
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
    const signature = createSign('SHA256')
      .update(signed)
      .sign(lie.key ?? held.key)
    return answer(held.id, {
      authenticatorData: data.toString('base64url'),
      clientDataJSON: client.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: lie.userHandle ?? held.userHandle,
    })
  }

  /** With the same keys and counters. */
  copy(): Authenticator {
    const { rpId: id, origin } = this.#site
    const other = new Authenticator({ id, origins: [origin] })
    other.keys.push(...this.keys.map((held) => ({ ...held })))
    return other
  }
}

function elliptic({ unusable }: Lie) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const cose = Buffer.concat([
    Buffer.from('a501020326200121', 'hex'),
    cborBytes(Buffer.from(x, 'base64url')),
    Buffer.from('22', 'hex'),
    cborBytes(unusable ? Buffer.alloc(32, 1) : Buffer.from(y, 'base64url')),
  ])
  return { privateKey, cose }
}

function rsa(modulusLength: number) {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength })
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' })
  const cose = Buffer.concat([
    Buffer.from('a401030339010020', 'hex'),
    cborBytes(Buffer.from(n, 'base64url')),
    Buffer.from('21', 'hex'),
    cborBytes(Buffer.from(e, 'base64url')),
  ])
  return { privateKey, cose }
}

/** At most 23 characters. */
function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])
}

export function cborBytes(bytes: Buffer): Buffer {
  const { length } = bytes
  const long = length < 256 ? [0x58, length] : [0x59, length >> 8, length & 0xff]
  const head = length < 24 ? [0x40 + length] : long
  return Buffer.concat([Buffer.from(head), bytes])
}

export function strangeKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
}

export interface Options {
  readonly publicKey: {
    readonly challenge: string
    readonly user?: { readonly id: string }
    readonly userVerification?: string
    readonly allowCredentials?: readonly { readonly id: string }[]
    readonly excludeCredentials?: readonly { readonly id: string }[]
  }
}

/** The WebAuthn options in a form, such as those of `passkey_create_data` and `passkey_challenge`. */
export function optionsIn(flow: FlowAnswer, name: string): Options {
  const value = JSON.parse(String(nodeOf(flow, name)?.value))
  return value.credentialOptions ?? value
}

function answer(id: string, response: object): string {
  return JSON.stringify({ id, rawId: id, type: 'public-key', response })
}

/** A lie with the site, which it may misstate. */
type Claim = Lie & { readonly rpId: string; readonly origin: string }

function authenticatorData(flags: number, counter: number, { rpId, userVerified = true }: Claim): Buffer {
  const tail = Buffer.alloc(5)
  tail[0] = 0x01 | (userVerified ? 0x04 : 0) | flags
  tail.writeUInt32BE(counter, 1)
  return Buffer.concat([createHash('sha256').update(rpId).digest(), tail])
}

function clientData({ publicKey }: Options, type: string, lie: Claim): Buffer {
  const { challenge = publicKey.challenge, origin } = lie
  return Buffer.from(JSON.stringify({ type: lie.type ?? type, challenge, origin, crossOrigin: false }))
}
