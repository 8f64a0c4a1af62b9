import type { Context } from '../../contract.ts'
import type { Done } from '../../done.ts'
import { deriveFromTraits } from '../../identities/traits.ts'
import { count } from '../../limits/limits.ts'
import type { Flow } from '../../storage/flows.ts'
import { selectedSchema } from '../engine/selected-schema.ts'

/**
 * Counts a registration against every identifier and address in it, free or taken: the limit must not reveal which
 * (SEC-13). Throws `LimitReached`. Called after the web hooks, because what they reject stores nothing and sends no
 * email.
 */
export async function countRegistration(
  ctx: Context,
  flow: Flow<'registration'>,
  { traits }: Done['registration'],
): Promise<void> {
  const { identifiers, verifiable } = deriveFromTraits(selectedSchema(ctx, flow.identity_schema), traits)
  const addresses = verifiable.map(({ value }) => value)
  const account = [...identifiers.password, ...identifiers.code, ...identifiers.webauthn, ...addresses]
  await count(ctx, { kind: 'registration', account })
}
