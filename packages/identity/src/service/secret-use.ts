import { indexOfSecret, type SecretLists, STORED_PURPOSES } from '../crypto/secrets.ts'
import { openForReading } from '../storage/db.ts'
import { listSealedTexts, SEALED, type SealedKind } from '../storage/sealed-texts.ts'

export type SecretUse = Readonly<Record<SealedKind, number>>

export interface SecretUses {
  readonly uses: readonly SecretUse[]
  readonly unreadable: SecretUse
}

export async function listSecretUse(dsn: string, secrets: readonly string[]): Promise<SecretUses> {
  const lists: SecretLists = { default: secrets, cookie: [], cipher: [], pagination: [] }
  const uses = secrets.map(noUse)
  const unreadable = noUse()
  const db = await openForReading(dsn)
  try {
    for await (const [kind, texts] of listSealedTexts(db))
      for (const text of texts) {
        const use = uses[indexOfSecret(lists, STORED_PURPOSES[kind], text)] ?? unreadable
        use[kind] += 1
      }
  } finally {
    await db.destroy()
  }
  return { uses, unreadable }
}

function noUse(): Record<SealedKind, number> {
  return Object.fromEntries(SEALED.map((kind) => [kind, 0])) as Record<SealedKind, number>
}
