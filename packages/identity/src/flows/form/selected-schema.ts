import type { Context } from '../../contract/contract.ts'
import { ProtocolError } from '../../errors/errors.ts'
import type { IdentitySchema } from '../../identities/schema/schema.ts'

/**
 * The identity schema named by `identity_schema`, or the default. Throws 400 if it does not exist or users may not
 * choose it (`selfservice_selectable`).
 */
export function selectedSchema(ctx: Pick<Context, 'config' | 'schemas'>, wanted?: string): IdentitySchema {
  const { default_schema_id, schemas } = ctx.config.identity
  const id = wanted || default_schema_id
  const entry = schemas.find((one) => one.id === id)
  const schema = ctx.schemas.find(id)
  const allowed = id === default_schema_id || entry?.selfservice_selectable === true
  if (!schema || !allowed) {
    throw new ProtocolError({
      status: 400,
      reason: 'This identity schema does not exist or cannot be selected.',
    })
  }
  return schema
}
