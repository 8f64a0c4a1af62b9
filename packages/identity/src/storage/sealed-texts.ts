import type { JsonObject } from '../wire/identity.ts'
import type { Db } from './db.ts'

/** Stored texts that a secret encrypts, for longer than a form. */
export const SEALED = ['totp', 'provider_token', 'message', 'signing_key', 'session_exchange'] as const

export type SealedKind = (typeof SEALED)[number]

const PAGE = 1000

const TOKENS = ['initial_id_token', 'initial_access_token', 'initial_refresh_token']

/** In pages, so that a database of any size fits in memory. */
export async function* listSealedTexts(db: Db): AsyncGenerator<readonly [SealedKind, readonly string[]]> {
  for (const type of ['totp', 'oidc'] as const)
    for await (const texts of credentialPages(db, type)) {
      const configs = texts.map((text) => JSON.parse(text) as JsonObject)
      yield type === 'totp'
        ? ['totp', configs.map(({ totp_url }) => String(totp_url))]
        : ['provider_token', configs.flatMap(tokensIn)]
    }
  for await (const texts of messagePages(db)) yield ['message', texts]
  const keys = await db.selectFrom('signing_keys').select('private_jwk').execute()
  yield ['signing_key', keys.map(({ private_jwk }) => private_jwk)]
  const exchanges = await db
    .selectFrom('session_exchanges')
    .select('token')
    .where('token', 'is not', null)
    .execute()
  yield ['session_exchange', exchanges.map(({ token }) => token ?? '')]
}

function credentialPages(db: Db, type: 'totp' | 'oidc') {
  const query = db.selectFrom('credentials').select(['identity_id as id', 'config as text'])
  const rows = query.where('type', '=', type).orderBy('identity_id').limit(PAGE)
  return pagesOf((after) => rows.where('identity_id', '>', after).execute())
}

/** Sent ones are empty, or kept for reading only. */
function messagePages(db: Db) {
  const query = db.selectFrom('messages').select(['id', 'body as text'])
  const rows = query.where('status', '!=', 'sent').orderBy('id').limit(PAGE)
  return pagesOf((after) => rows.where('id', '>', after).execute())
}

async function* pagesOf(
  read: (after: string) => Promise<{ readonly id: string; readonly text: string }[]>,
): AsyncGenerator<readonly string[]> {
  for (let after = NO_ID, size = PAGE; size === PAGE; ) {
    const rows = await read(after)
    yield rows.map(({ text }) => text)
    after = rows.at(-1)?.id ?? after
    size = rows.length
  }
}

const NO_ID = '00000000-0000-0000-0000-000000000000'

function tokensIn({ providers }: JsonObject): string[] {
  return ((providers ?? []) as JsonObject[])
    .map((provider) =>
      TOKENS.map((name) => provider[name]).find((token) => typeof token === 'string' && token !== ''),
    )
    .filter((token) => token !== undefined)
    .map(String)
}
