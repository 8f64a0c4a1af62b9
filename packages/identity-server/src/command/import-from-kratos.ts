import type { Identity } from '@ostiary/identity'
import { ConfigError, messageOf } from '@ostiary/identity/serving'

/** Prints each row that is left out, then the counts. Returns the exit code. */
export async function importFromKratos(identity: Identity, dsn: string): Promise<0 | 1> {
  const { accounts, credentials, sessions, present, dropped } = await identity
    .importFromKratos(dsn, {
      onDrop: (table, id, reason) => process.stderr.write(`${table} ${id}: ${reason}.\n`),
      onProgress: ({ accounts }) => {
        if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${accounts} accounts `)
      },
    })
    .catch((cause: unknown) => {
      throw new ConfigError([{ path: '--from-kratos-database', message: messageOf(cause) }], { cause })
    })
  process.stdout.write(
    `Imported: ${accounts} accounts, ${credentials} credentials, ${sessions} sessions. Already here: ${present} accounts. Left out: ${dropped} rows.\n`,
  )
  return dropped > 0 ? 1 : 0
}
