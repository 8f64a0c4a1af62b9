export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function pick<T>(chance: () => number, from: readonly T[]): T {
  return from[Math.floor(chance() * from.length)]!
}

/** One to three mutations: flips a bit, removes, doubles or adds a byte, or truncates. */
export function damageBytes(chance: () => number, bytes: Buffer): Buffer {
  let damaged = bytes
  for (let count = 1 + Math.floor(chance() * 3); count > 0; count -= 1) damaged = damageOnce(chance, damaged)
  return damaged
}

function damageOnce(chance: () => number, bytes: Buffer): Buffer {
  const at = Math.floor(chance() * bytes.length)
  const [before, byte, after] = [bytes.subarray(0, at), bytes.subarray(at, at + 1), bytes.subarray(at + 1)]
  const any = Buffer.from([Math.floor(chance() * 256)])
  switch (Math.floor(chance() * 6)) {
    case 0:
    case 1:
      return Buffer.concat([before, Buffer.from([(byte[0] ?? 0) ^ (1 << Math.floor(chance() * 8))]), after])
    case 2:
      return Buffer.concat([before, after])
    case 3:
      return Buffer.concat([before, byte, byte, after])
    case 4:
      return Buffer.concat([before, any, after])
    default:
      return before
  }
}

export const STRANGE: readonly unknown[] = [
  null,
  0,
  -1,
  Number.MAX_VALUE,
  true,
  '',
  ' ',
  '=',
  'AAAA',
  '__proto__',
  '\u0000',
  'x'.repeat(4096),
  [],
  ['AAAA'],
  {},
  { length: 32 },
]
