import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'

/** OWASP's minimum, and the product's default. */
const cost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1, outputLen: 32 }

const MEASURED_MS = 3_000

/** Per second on the idle machine. */
export async function measureHashes(kind: 'hash' | 'verify'): Promise<number> {
  const password = 'a bench of oak'
  const hashed = await hash(password, { ...cost, salt: randomBytes(16) })
  const hashOnce = {
    hash: () => hash(password, { ...cost, salt: randomBytes(16) }),
    verify: () => verify(hashed, password),
  }[kind]
  let count = 0
  const startedAt = performance.now()
  const work = async () => {
    while (performance.now() - startedAt < MEASURED_MS) {
      await hashOnce()
      count += 1
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return count / ((performance.now() - startedAt) / 1000)
}
