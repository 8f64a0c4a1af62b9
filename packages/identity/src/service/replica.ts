import { ConfigError } from '../config/checks/config-error.ts'
import { newId } from '../crypto/random.ts'
import { type SecretLists, secretMarks } from '../crypto/secrets.ts'
import type { Db } from '../storage/db.ts'
import type { KnownSecrets } from '../storage/installation.ts'
import {
  deleteReplica,
  findLastSecrets,
  keepLastSecrets,
  keepReplica,
  listOtherReplicas,
} from '../storage/installation.ts'
import type { Clock } from './clock.ts'

const EVERY_MS = 20_000
const LOST_MS = 60_000

/**
 * A process that shares the database. Each must read what the others sign or encrypt, so secrets
 * are rotated in two steps (docs/operations.md, "Secrets").
 */
export function createReplica(db: Db, { now, measure }: Clock) {
  const id = newId()
  let knownSecrets: KnownSecrets | undefined
  const keepSecrets = async (secrets: KnownSecrets) => await keepReplica(db, id, secrets, now().toISOString())
  return {
    /**
     * Returns whether other processes share the database. Throws `ConfigError` if this and one of them do not know
     * each other's signing secret, `LostSecrets` if stored data would be unreadable.
     */
    async join(lists: SecretLists): Promise<boolean> {
      const secrets = secretMarks(lists)
      // At least one of two concurrent starts sees the other.
      await keepSecrets(secrets)
      const since = new Date(now().getTime() - LOST_MS).toISOString()
      const otherReplicas = await listOtherReplicas(db, id, since)
      const problem = disagreement(secrets, otherReplicas) ?? lostSecrets(secrets, await findLastSecrets(db))
      if (problem === undefined) {
        await keepLastSecrets(db, secrets)
        knownSecrets = secrets
        return otherReplicas.length > 0
      }
      await (knownSecrets === undefined ? deleteReplica(db, id) : keepSecrets(knownSecrets))
      throw problem
    },
    start() {
      const beat = async () => await Promise.all([measure(db), knownSecrets && keepSecrets(knownSecrets)])
      // The next heartbeat makes up for a failed one.
      const timer = setInterval(() => void beat().catch(() => {}), EVERY_MS).unref()
      return { stop: async () => clearInterval(timer) }
    },
    async leave() {
      await deleteReplica(db, id).catch(() => {})
    },
  }
}

/** The database was encrypted with secrets that the configuration lacks. */
export class LostSecrets extends ConfigError {}

function disagreement(ownSecrets: KnownSecrets, others: readonly KnownSecrets[]): ConfigError | undefined {
  const uses = Object.keys(ownSecrets)
  const refuse = (message: string) =>
    new ConfigError([
      { path: 'secrets', message: `${message}. If no other one runs, start again in a minute` },
    ])
  if (others.some((other) => lacksFirst(other, ownSecrets, uses)))
    return refuse(
      'another running process does not know the first secret: append it to the secrets of every process first, and put it in front once all run with it',
    )
  if (others.some((other) => lacksFirst(ownSecrets, other, uses)))
    return refuse('another running process signs with a secret that is missing here: append that one')
  return undefined
}

/** New cookie secrets only sign users out. Without the other two, stored data is unreadable. */
const USES_OF_STORED_DATA = ['sign', 'encrypt']

function lostSecrets(ownSecrets: KnownSecrets, last: KnownSecrets | undefined): LostSecrets | undefined {
  if (last === undefined || !lacksFirst(ownSecrets, last, USES_OF_STORED_DATA)) return undefined
  const message =
    'the database was last used with a secret that is missing here, so that authenticator apps, codes and queued emails could not be read: append that secret'
  return new LostSecrets([{ path: 'secrets', message }])
}

/** @param marks the database's `installation.secrets` */
export function canRead(marks: string, secrets: readonly string[]): boolean {
  const ownMarks = secretMarks({ default: secrets, cookie: [], cipher: [], pagination: [] })
  return !lacksFirst(ownMarks, JSON.parse(marks) as KnownSecrets, USES_OF_STORED_DATA)
}

/** Whether `one` cannot read the data of `other`. */
function lacksFirst(one: KnownSecrets, other: KnownSecrets, uses: readonly string[]): boolean {
  return uses.some((use) => !one[use]?.includes(other[use]?.[0] ?? ''))
}
