import type { Context } from '../../contract.ts'
import { ProtocolError } from '../../errors.ts'
import type { IdentitySchema } from '../../identities/schema.ts'

/**
 * The identity schema that a flow asks for by `identity_schema`, else the default one. Throws 400 for one that
 * does not exist or that users may not choose (`selfservice_selectable`).
 */
export function schemaOf(ctx: Pick<Context, 'config' | 'schemas'>, wanted?: string): IdentitySchema {
  const { default_schema_id, schemas } = ctx.config.identity
  const id = wanted || default_schema_id
  const entry = schemas.find((one) => one.id === id)
  const schema = ctx.schemas.find(id)
  const allowed = id === default_schema_id || entry?.selfservice_selectable === true
  if (!schema || !allowed) {
    throw new ProtocolError({ status: 400, reason: 'There is no such identity schema to choose.' })
  }
  return schema
}
