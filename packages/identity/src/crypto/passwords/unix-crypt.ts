import { hash } from 'node:crypto'
import { setImmediate as otherWork } from 'node:timers/promises'

type Digest = 'md5' | 'sha256' | 'sha512'

/** About a millisecond, then other requests get a turn. */
const ROUNDS_AT_ONCE = 500

/** `$5$` and `$6$`: https://www.akkadia.org/drepper/SHA-crypt.txt. Uses 16 bytes of the salt. */
export async function shaCrypt(
  digest: 'sha256' | 'sha512',
  password: Buffer,
  salt: Buffer,
  rounds: number,
): Promise<string> {
  const short = salt.subarray(0, 16)
  const b = digestOf(digest, [password, short, password])
  const a = digestOf(digest, [password, short, repeated(b, password.length), ...bits(password, b, password)])
  const dp = digestOf(digest, Array<Buffer>(password.length).fill(password))
  const ds = digestOf(digest, Array<Buffer>(16 + (a[0] ?? 0)).fill(short))
  const p = repeated(dp, password.length)
  const s = repeated(ds, short.length)
  return encoded(await stretched(digest, a, p, s, rounds), ORDER[digest])
}

/** `$1$`, as in FreeBSD. Uses 8 bytes of the salt. */
export async function md5Crypt(password: Buffer, salt: Buffer): Promise<string> {
  const short = salt.subarray(0, 8)
  const b = digestOf('md5', [password, short, password])
  const first = password.subarray(0, 1)
  const a = digestOf('md5', [
    password,
    Buffer.from('$1$'),
    short,
    repeated(b, password.length),
    ...bits(password, Buffer.alloc(1), first),
  ])
  return encoded(await stretched('md5', a, password, short, 1000), ORDER.md5)
}

/** One part per bit of the length, lowest first. */
function bits({ length }: Buffer, one: Buffer, zero: Buffer): Buffer[] {
  return [...length.toString(2)].reverse().flatMap((bit) => (length === 0 ? [] : [bit === '1' ? one : zero]))
}

async function stretched(digest: Digest, a: Buffer, p: Buffer, s: Buffer, rounds: number): Promise<Buffer> {
  let c = a
  for (let round = 0; round < rounds; round++) {
    if (round % ROUNDS_AT_ONCE === ROUNDS_AT_ONCE - 1) await otherWork()
    const odd = round % 2 === 1
    c = digestOf(digest, [
      odd ? p : c,
      ...(round % 3 === 0 ? [] : [s]),
      ...(round % 7 === 0 ? [] : [p]),
      odd ? c : p,
    ])
  }
  return c
}

function digestOf(name: Digest, parts: readonly Buffer[]): Buffer {
  return hash(name, Buffer.concat(parts), 'buffer')
}

function repeated(block: Buffer, length: number): Buffer {
  return Buffer.alloc(length, block)
}

const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The bytes of four characters, highest first. */
const ORDER: Readonly<Record<Digest, readonly (readonly number[])[]>> = {
  md5: [...[0, 1, 2, 3, 4].map((n) => [n, n + 6, n === 4 ? 5 : n + 12]), [11]],
  sha256: [...turned(10, [0, 10, 20]), [31, 30]],
  sha512: [...turned(21, [0, 21, 42]), [63]],
}

/** The three positions advance by one and rotate. */
function turned(count: number, start: readonly [number, number, number]): number[][] {
  const step = count === 10 ? 2 : 1
  return Array.from({ length: count }, (_, n) => {
    const places = start.map((place) => place + n)
    const shift = (n * step) % 3
    return [...places.slice(shift), ...places.slice(0, shift)]
  })
}

function encoded(bytes: Buffer, order: readonly (readonly number[])[]): string {
  return order
    .map((places) => {
      const value = places.reduce((sum, place) => sum * 256 + (bytes[place] ?? 0), 0)
      const letters = Array.from({ length: places.length + 1 }, (_, n) => ALPHABET[(value >> (6 * n)) & 63])
      return letters.join('')
    })
    .join('')
}
