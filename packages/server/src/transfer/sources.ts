import { z } from 'zod'
import { type Account, lacksFactorContents, listed, toAccount, toImportable } from './account.ts'
import { fromCsvRow } from './csv-row.ts'

/** Shown in the Firebase console; `firebase auth:export` omits them. */
export const hashConfig = z.object({
  base64_signer_key: z.string(),
  base64_salt_separator: z.string(),
  rounds: z.coerce.number().int(),
  mem_cost: z.coerce.number().int(),
})

export interface Options {
  readonly hashConfig?: z.infer<typeof hashConfig>
}

/** Throws a `ZodError`, or an `Error` with the reason. */
export type Source = (record: unknown, options: Options) => Account

export const sources: Readonly<Record<string, Source>> = {
  kratos: fromKratos,
  auth0: fromAuth0,
  firebase: fromFirebase,
  cognito: fromCognito,
}

const text = z
  .string({ error: ({ input }) => (input === undefined ? 'is missing' : 'must be a text') })
  .min(1, 'is empty')
/** Spreadsheets write TRUE. */
const truthText = z
  .string()
  .toLowerCase()
  .pipe(z.enum(['true', 'false', '']))
const truth = z.union([z.boolean(), truthText.transform((value) => value === 'true')])

const PROVIDERS: Readonly<Record<string, string>> = {
  'google-oauth2': 'google',
  'google.com': 'google',
  google: 'google',
  'github.com': 'github',
  github: 'github',
}

/** Reads files of `npm run export` and of Kratos' admin API. */
function fromKratos(record: unknown): Account {
  const row = fromCsvRow(record)
  if (row) return row
  const { schema_id: _, ...brought } = toImportable(listed.parse(record))
  return brought
}

const auth0User = z.object({
  email: text,
  email_verified: truth.default(false),
  user_id: text.optional(),
  _id: z.object({ $oid: text }).optional(),
  name: z.string().optional(),
  blocked: z.boolean().optional(),
  passwordHash: text.optional(),
  user_metadata: z.record(z.string(), z.unknown()).optional(),
  app_metadata: z.record(z.string(), z.unknown()).optional(),
  identities: z.array(z.object({ provider: text, user_id: z.coerce.string() })).default([]),
})

/** Reads the user export, and the file with hashes from Auth0's support. */
function fromAuth0(record: unknown): Account {
  const user = auth0User.parse(record)
  return toAccount({
    external_id: user.user_id ?? (user._id && `auth0|${user._id.$oid}`),
    // Auth0 repeats the address for users without a name.
    traits: traitsOf(user.email, user.name === user.email ? undefined : user.name),
    verified: user.email_verified ? [user.email] : [],
    active: user.blocked !== true,
    hashed_password: user.passwordHash,
    providers: linkedTo(user.identities.map(({ provider, user_id }) => [provider, user_id])),
    metadata_public: user.user_metadata,
    metadata_admin: user.app_metadata,
  })
}

const firebaseUser = z.object({
  localId: text,
  email: text,
  emailVerified: truth.default(false),
  displayName: z.string().optional(),
  disabled: truth.default(false),
  passwordHash: text.optional(),
  salt: text.optional(),
  providerUserInfo: z.array(z.object({ providerId: text, rawId: text })).default([]),
})

function fromFirebase(record: unknown, options: Options): Account {
  const user = firebaseUser.parse(record)
  return toAccount({
    external_id: user.localId,
    traits: traitsOf(user.email, user.displayName),
    verified: user.emailVerified ? [user.email] : [],
    active: !user.disabled,
    hashed_password: firescrypt(user, options),
    providers: linkedTo(user.providerUserInfo.map(({ providerId, rawId }) => [providerId, rawId])),
  })
}

function firescrypt(
  { passwordHash, salt }: z.infer<typeof firebaseUser>,
  { hashConfig }: Options,
): string | undefined {
  if (passwordHash === undefined || salt === undefined) return undefined
  if (!hashConfig)
    throw new Error('it has a password: name the file of the hash parameters with --hash-config')
  const { base64_signer_key, base64_salt_separator, rounds, mem_cost } = hashConfig
  const values = [salt, passwordHash, base64_salt_separator, base64_signer_key].map((value) =>
    value.replaceAll('-', '+').replaceAll('_', '/'),
  )
  return `$firescrypt$ln=${mem_cost},r=${rounds},p=1$${values.join('$')}`
}

const cognitoUser = z.object({
  email: text,
  email_verified: truth.default(false),
  name: z.string().optional(),
  sub: text.optional(),
  'cognito:username': text.optional(),
})

const cognitoListed = z.object({
  Username: text,
  Attributes: z.array(z.object({ Name: text, Value: z.string() })),
  Enabled: z.boolean().default(true),
})

/**
 * Reads `aws cognito-idp list-users`, or Cognito's CSV. Cognito exports no hashes, so these users recover
 * their account by a code.
 */
function fromCognito(record: unknown): Account {
  const { data: listedUser } = cognitoListed.safeParse(record)
  const attributes = listedUser?.Attributes.map(({ Name, Value }) => [Name, Value]) ?? []
  const user = cognitoUser.parse(
    listedUser ? { 'cognito:username': listedUser.Username, ...Object.fromEntries(attributes) } : record,
  )
  return toAccount({
    external_id: user.sub || user['cognito:username'],
    traits: traitsOf(user.email, user.name),
    verified: user.email_verified ? [user.email] : [],
    active: listedUser?.Enabled ?? true,
  })
}

const secondFactors = z.object({
  multifactor: z.array(z.unknown()).default([]),
  mfaInfo: z.array(z.unknown()).default([]),
  UserMFASettingList: z.array(z.unknown()).default([]),
  'cognito:mfa_enabled': truth.default(false),
  credentials: z.record(z.string(), z.object({ config: z.looseObject({}).optional() })).default({}),
})

/** In any of the formats: Auth0, Firebase, Cognito, Kratos. */
export function hasSecondFactor(record: unknown): boolean {
  const { data } = secondFactors.safeParse(record)
  if (!data) return false
  const listed = [...data.multifactor, ...data.mfaInfo, ...data.UserMFASettingList]
  return listed.length > 0 || data['cognito:mfa_enabled'] || lacksFactorContents(data)
}

function traitsOf(email: string, name: string | undefined): Account['traits'] {
  return { email, ...(name ? { name } : {}) }
}

function linkedTo(pairs: readonly (readonly [string, string])[]) {
  return pairs.flatMap(([name, subject]) => {
    const provider = PROVIDERS[name]
    return provider === undefined ? [] : [{ provider, subject }]
  })
}
