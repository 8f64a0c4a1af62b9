import { hash } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'

// Runs in a thread, because Node has no native implementation: a million rounds take two seconds.

/** @typedef {'md5' | 'sha256' | 'sha512'} Digest */

/**
 * `$5$` and `$6$`: https://www.akkadia.org/drepper/SHA-crypt.txt. Uses 16 bytes of the salt.
 * @param {'sha256' | 'sha512'} digest
 * @param {Buffer} password
 * @param {Buffer} salt
 * @param {number} rounds
 */
function shaCrypt(digest, password, salt, rounds) {
  const short = salt.subarray(0, 16)
  const b = digestOf(digest, [password, short, password])
  const a = digestOf(digest, [
    password,
    short,
    Buffer.alloc(password.length, b),
    ...bits(password, b, password),
  ])
  const dp = digestOf(digest, Array(password.length).fill(password))
  const ds = digestOf(digest, Array(16 + (a[0] ?? 0)).fill(short))
  const p = Buffer.alloc(password.length, dp)
  const s = Buffer.alloc(short.length, ds)
  return encoded(stretched(digest, a, p, s, rounds), ORDER[digest])
}

/**
 * `$1$`, as in FreeBSD. Uses 8 bytes of the salt.
 * @param {Buffer} password
 * @param {Buffer} salt
 */
function md5Crypt(password, salt) {
  const short = salt.subarray(0, 8)
  const b = digestOf('md5', [password, short, password])
  const first = password.subarray(0, 1)
  const a = digestOf('md5', [
    password,
    Buffer.from('$1$'),
    short,
    Buffer.alloc(password.length, b),
    ...bits(password, Buffer.alloc(1), first),
  ])
  return encoded(stretched('md5', a, password, short, 1000), ORDER.md5)
}

/**
 * One part per bit of the length, lowest first.
 * @param {Buffer} password
 * @param {Buffer} one
 * @param {Buffer} zero
 */
function bits({ length }, one, zero) {
  return [...length.toString(2)].reverse().flatMap((bit) => (length === 0 ? [] : [bit === '1' ? one : zero]))
}

/**
 * @param {Digest} digest
 * @param {Buffer} a
 * @param {Buffer} p
 * @param {Buffer} s
 * @param {number} rounds
 */
function stretched(digest, a, p, s, rounds) {
  let c = a
  for (let round = 0; round < rounds; round++) {
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

/**
 * @param {Digest} name
 * @param {readonly Buffer[]} parts
 */
function digestOf(name, parts) {
  return hash(name, Buffer.concat(parts), 'buffer')
}

const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * The bytes of four characters, highest first.
 * @type {Readonly<Record<Digest, readonly (readonly number[])[]>>}
 */
const ORDER = {
  md5: [...[0, 1, 2, 3, 4].map((n) => [n, n + 6, n === 4 ? 5 : n + 12]), [11]],
  sha256: [...turned(10, [0, 10, 20]), [31, 30]],
  sha512: [...turned(21, [0, 21, 42]), [63]],
}

/**
 * The three positions advance by one and rotate.
 * @param {number} count
 * @param {readonly number[]} start
 */
function turned(count, start) {
  const step = count === 10 ? 2 : 1
  return Array.from({ length: count }, (_, n) => {
    const places = start.map((place) => place + n)
    const shift = (n * step) % 3
    return [...places.slice(shift), ...places.slice(0, shift)]
  })
}

/**
 * @param {Buffer} bytes
 * @param {readonly (readonly number[])[]} order
 */
function encoded(bytes, order) {
  return order
    .map((places) => {
      const value = places.reduce((sum, place) => sum * 256 + (bytes[place] ?? 0), 0)
      const letters = Array.from({ length: places.length + 1 }, (_, n) => ALPHABET[(value >> (6 * n)) & 63])
      return letters.join('')
    })
    .join('')
}

if (parentPort) {
  /** @type {import('./unix-crypt.ts').UnixCrypt} */
  const { digest, password, salt, rounds } = workerData
  const [typed, salted] = [Buffer.from(password), Buffer.from(salt)]
  parentPort.postMessage(digest === 'md5' ? md5Crypt(typed, salted) : shaCrypt(digest, typed, salted, rounds))
}
