import { readableAddresses } from '@ostiary/identity/input/readable-address'
import { z } from '@ostiary/ui'

export const account = z.object({
  id: z.string(),
  state: z.string(),
  traits: z.looseObject({ email: z.optional(z.string()) }),
  metadata_public: z.catch(z.object({ roles: z.array(z.string()) }), { roles: [] }),
  created_at: z.string(),
  updated_at: z.string(),
  verifiable_addresses: z._default(
    z.array(z.object({ id: z.string(), value: z.string(), verified: z.boolean() })),
    [],
  ),
  credentials: z._default(z.record(z.string(), z.object({ created_at: z.string() })), {}),
})

export const session = z.object({
  id: z.string(),
  active: z.boolean(),
  authenticated_at: z.string(),
  authenticator_assurance_level: z.string(),
  devices: z._default(
    z.array(z.object({ ip_address: z.optional(z.string()), user_agent: z.optional(z.string()) })),
    [],
  ),
})

export const email = z.object({
  id: z.string(),
  status: z.enum(['queued', 'processing', 'sent', 'abandoned']),
  recipient: z.string(),
  subject: z.string(),
  template_type: z.string(),
  own_template_type: z.optional(z.string()),
  created_at: z.string(),
})

export const attempts = z.object({
  dispatches: z.array(
    z.object({
      id: z.string(),
      status: z.enum(['failed', 'success']),
      error: z.optional(z.string()),
      created_at: z.string(),
    }),
  ),
})

export const event = z.object({
  id: z.string(),
  event: z.string(),
  outcome: z.enum(['ok', 'refused']),
  method: z.optional(z.string()),
  detail: z.optional(z.string()),
  client_address: z.string(),
  user_agent: z.string(),
  created_at: z.string(),
})

export const adminCall = z.object({
  id: z.string(),
  created_at: z.string(),
  operator: z.nullable(z.string()),
  method: z.string(),
  outcome: z.enum(['ok', 'refused']),
  identity_id: z.nullable(z.string()),
  changes: z.nullable(z.string()),
  client_address: z.string(),
})

export const recoveryCode = z.object({
  recovery_code: z.string(),
  recovery_link: z.string(),
  expires_at: z.string(),
})

export const statistics = z.object({
  accounts: z.object({ active: z.number(), inactive: z.number() }),
  sign_ins: z.array(z.object({ day: z.string(), count: z.number() })),
})

export type Account = z.infer<typeof account>
export type Session = z.infer<typeof session>
export type Email = z.infer<typeof email>
export type AdminCall = z.infer<typeof adminCall>

export function nameOf({ id, traits }: Account): string {
  return readableAddresses(traits.email ?? id)
}

export function givenName({ traits: { name } }: Account): string | undefined {
  return typeof name === 'string' && name !== '' ? name : undefined
}
