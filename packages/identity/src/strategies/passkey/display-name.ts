import type { IdentitySchema } from '../../identities/schema/schema.ts'
import { traitAt } from '../../identities/schema/trait-at.ts'
import type { JsonObject } from '../../wire/identity.ts'

type Named = Pick<IdentitySchema, 'leaves' | 'marked'>

export function displayNameField({ leaves, marked }: Named): string | undefined {
  const wanted = marked
    .filter(({ marks }) => marks.credentials.passkey?.display_name || marks.credentials.webauthn?.identifier)
    .map(({ steps }) => steps.join('.'))
  const [first] = wanted.toSorted()
  return first ?? (leaves.find(({ identifies }) => identifies) ?? leaves[0])?.path
}

export function displayNameOf(schema: Named, traits: JsonObject): string | undefined {
  const field = displayNameField(schema)
  const value = field && traitAt(traits, field.split('.'))
  return typeof value === 'string' && value !== '' ? value : undefined
}
