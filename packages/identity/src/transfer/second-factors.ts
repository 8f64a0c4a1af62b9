import { z } from 'zod'
import { configOf, type Key, UNNAMED } from '../authenticators/keys.ts'
import type { Context } from '../contract/contract.ts'
import { assertTotpUrl } from '../crypto/otp.ts'
import { NIL_ID } from '../crypto/random.ts'
import { isUsablePublicKey } from '../crypto/webauthn.ts'
import { badRequest, messageOf } from '../errors/errors.ts'
import { typedCode } from '../input/normalise.ts'
import { canonicalUuid } from '../input/plain-text.ts'
import type { NewCredential } from '../storage/identities/credentials.ts'
import { hashBackupCodes, type StoredCodes } from '../strategies/lookup-secret.ts'
import { sealTotpUrl } from '../strategies/totp.ts'

const MAX_ENTRIES = 100

/** In the years 1 to 9999, which both databases store and sort. */
export const time = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text).toISOString())
  .refine((text) => /^(?!0000)\d{4}-/.test(text), { error: 'must be in the years 1 to 9999' })

const bytes = (most: number) =>
  z
    .base64()
    .or(z.base64url())
    .transform((text) => Buffer.from(text, 'base64'))
    .refine(({ length }) => length > 0 && length <= most, { error: `must have 1 to ${most} bytes` })

const key = z.object({
  id: bytes(1023),
  public_key: bytes(2048),
  attestation_type: z.string().max(100).optional(),
  display_name: z.string().max(1000).optional(),
  added_at: time.optional(),
  is_passwordless: z.boolean().optional(),
  authenticator: z
    .object({
      aaguid: z
        .uuid()
        .or(bytes(16).transform((id) => canonicalUuid(id.toString('hex').padStart(32, '0'))))
        .nullish(),
      sign_count: z.int().min(0).optional(),
    })
    .nullish(),
})

const keys = z.object({
  credentials: z.array(key).min(1).max(MAX_ENTRIES),
  user_handle: bytes(64).nullish(),
})

const withConfig = <T>(config: z.ZodType<T>) =>
  z
    .object({ config: config.nullish() })
    .nullish()
    .transform((credential) => credential?.config ?? undefined)

/** In the form of Kratos' responses with `include_credential`, whose other members are ignored. */
export const secondFactors = {
  totp: withConfig(z.object({ totp_url: z.string().max(2048) })),
  lookup_secret: withConfig(
    z.object({
      recovery_codes: z
        .array(z.object({ code: z.string().min(6).max(100), used_at: time.nullish() }))
        .min(1)
        .max(MAX_ENTRIES),
    }),
  ),
  webauthn: withConfig(keys),
  passkey: withConfig(keys),
}

type SentFactors = { readonly [Type in keyof typeof secondFactors]: z.output<(typeof secondFactors)[Type]> }

export interface SecondFactors extends Omit<SentFactors, 'lookup_secret'> {
  readonly lookup_secret: SentFactors['lookup_secret'] | { readonly hashed: StoredCodes }
}

export interface Owner {
  readonly identity_id: string
  /** The schema's for `webauthn`. */
  readonly identifiers: readonly string[]
}

/** Throws 400 for what would not work at a sign-in. */
export async function importSecondFactors(
  ctx: Context,
  { totp, lookup_secret, webauthn, passkey }: SecondFactors,
  { identity_id, identifiers }: Owner,
): Promise<NewCredential[]> {
  const credentials: NewCredential[] = []
  if (totp) {
    assertUsable(totp.totp_url)
    const totp_url = sealTotpUrl(ctx, totp.totp_url)
    credentials.push({ type: 'totp', identifiers: [identity_id], config: { totp_url, last_step: 0 } })
  }
  if (lookup_secret) {
    const config = 'hashed' in lookup_secret ? lookup_secret.hashed : await hashCodes(ctx, lookup_secret)
    credentials.push({ type: 'lookup_secret', identifiers: [identity_id], config })
  }
  if (webauthn) {
    if (identifiers.length === 0)
      throw badRequest('credentials.webauthn: the traits have no identifier for security keys.')
    credentials.push({ type: 'webauthn', identifiers, config: await keyConfig(ctx, 'webauthn', webauthn) })
  }
  if (passkey) {
    const handle = passkey.user_handle?.toString('base64url')
    if (handle === undefined) throw badRequest('credentials.passkey.config.user_handle is missing.')
    credentials.push({
      type: 'passkey',
      identifiers: [handle],
      config: await keyConfig(ctx, 'passkey', passkey),
    })
  }
  return credentials
}

/** Call outside a transaction: hashing is slow. */
export async function hashCodes(
  ctx: Context,
  { recovery_codes: recoveryCodes }: NonNullable<SentFactors['lookup_secret']>,
): Promise<StoredCodes> {
  const codes = recoveryCodes.map(({ code }) => typedCode(code))
  const { recovery_codes } = await hashBackupCodes(ctx, codes, {})
  return {
    recovery_codes: recovery_codes.map(({ hash }, index) => ({
      hash,
      used_at: recoveryCodes[index]?.used_at ?? null,
    })),
  }
}

function assertUsable(url: string): void {
  try {
    assertTotpUrl(url)
  } catch (error) {
    throw badRequest(`credentials.totp.config.totp_url: ${messageOf(error)}.`)
  }
}

async function keyConfig(
  ctx: Context,
  type: 'webauthn' | 'passkey',
  { credentials, user_handle }: z.output<typeof keys>,
) {
  const imported = credentials.map(async (sentKey, index): Promise<Key> => {
    const public_key = sentKey.public_key.toString('base64url')
    if (!(await isUsablePublicKey(public_key)))
      throw badRequest(`credentials.${type}.config.credentials.${index}.public_key is not a usable COSE key.`)
    return {
      id: sentKey.id.toString('base64url'),
      public_key,
      attestation_type: sentKey.attestation_type ?? 'none',
      display_name: sentKey.display_name || UNNAMED,
      added_at: sentKey.added_at ?? ctx.now().toISOString(),
      is_passwordless: type === 'passkey' || (sentKey.is_passwordless ?? false),
      ...(user_handle ? { user_handle: user_handle.toString('base64url') } : {}),
      authenticator: {
        aaguid: sentKey.authenticator?.aaguid ?? NIL_ID,
        sign_count: sentKey.authenticator?.sign_count ?? 0,
      },
    }
  })
  return configOf(await Promise.all(imported))
}
