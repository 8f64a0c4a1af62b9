import { ConfigError } from './config/config-error.ts'
import { newId } from './crypto/random.ts'
import type { SecretLists } from './crypto/secrets.ts'
import { secretMarks } from './crypto/secrets.ts'
import type { Db } from './storage/db.ts'
import type { KnownSecrets } from './storage/replicas.ts'
import { deleteReplica, keepReplica, listOtherReplicas } from './storage/replicas.ts'

/**
 * This process among those that share its database. What one of them signs or encrypts, such as an emailed code, the
 * others must be able to read: secrets are rotated in two steps (docs/operations.md, "Secrets").
 */
export interface Replica {
  /** Throws `ConfigError` if a running process does not know the secret that this one would sign with, or the reverse. */
  join(secrets: SecretLists): Promise<void>
  /** Repeats at intervals that it runs. */
  start(): { stop(): Promise<void> }
  leave(): Promise<void>
}

const EVERY_MS = 20_000
/** A process that was not seen for so long has ended. */
const LOST_MS = 60_000

export function createReplica(db: Db, now: () => Date): Replica {
  const id = newId()
  let known: KnownSecrets | undefined
  const keep = async (secrets: KnownSecrets) => await keepReplica(db, id, secrets, now().toISOString())
  return {
    async join(lists) {
      const secrets = secretMarks(lists)
      // First stored, then compared: of two that start together at least one sees the other.
      await keep(secrets)
      const since = new Date(now().getTime() - LOST_MS).toISOString()
      const others = await listOtherReplicas(db, id, since)
      const problem = disagreement(secrets, others)
      if (problem === undefined) known = secrets
      else if (known === undefined) await deleteReplica(db, id)
      else await keep(known)
      if (problem !== undefined) throw new ConfigError([{ path: 'secrets', message: problem }])
    },
    start() {
      // The next beat makes up for one that failed.
      const timer = setInterval(() => void (known && keep(known).catch(() => {})), EVERY_MS).unref()
      return { stop: async () => clearInterval(timer) }
    },
    async leave() {
      await deleteReplica(db, id).catch(() => {})
    },
  }
}

function disagreement(own: KnownSecrets, others: readonly KnownSecrets[]): string | undefined {
  const uses = Object.keys(own)
  const firstIsUnknown = (one: KnownSecrets, other: KnownSecrets) =>
    uses.some((use) => !other[use]?.includes(one[use]?.[0] ?? ''))
  if (others.some((other) => firstIsUnknown(own, other)))
    return `another running process does not know the first secret: append it to the secrets of every process first, and put it in front once all run with it. ${ENDED}`
  if (others.some((other) => firstIsUnknown(other, own)))
    return `another running process signs with a secret that is missing here: append that one. ${ENDED}`
  return undefined
}

const ENDED = 'If no other one runs, start again in a minute'
