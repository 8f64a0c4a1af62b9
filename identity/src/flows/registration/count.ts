import type { Context } from '../../contract.ts'
import type { Done } from '../../done.ts'
import { deriveFromTraits } from '../../identities/traits.ts'
import { count } from '../../limits/limits.ts'
import type { Flow } from '../../storage/flows.ts'
import { schemaOf } from '../engine/schema-of.ts'

/**
 * Counts a sign-up by every address and name that it takes, free or taken: the refusal must not tell them apart
 * (SEC-13). Throws `LimitReached`. To be called after the web hooks: what they refuse stores nothing and sends no email.
 */
export async function countRegistration(
  ctx: Context,
  flow: Flow<'registration'>,
  { traits }: Done['registration'],
): Promise<void> {
  const { identifiers, verifiable } = deriveFromTraits(schemaOf(ctx, flow.identity_schema), traits)
  const addresses = verifiable.map(({ value }) => value)
  const account = [...identifiers.password, ...identifiers.code, ...identifiers.webauthn, ...addresses]
  await count(ctx, { kind: 'registration', account })
}
