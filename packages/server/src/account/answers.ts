import { z } from 'zod'

const time = z.iso.datetime()

export const recovery = z.object({ recovering: z.boolean() })

export const devices = z.array(
  z.object({
    id: z.string(),
    current: z.boolean(),
    /** Such as "Firefox on Windows". */
    name: z.string(),
    kind: z.enum(['phone', 'tablet', 'computer', 'app']),
    address: z.string().optional(),
    signed_in_at: z.string().optional(),
    last_active_at: z.string().optional(),
    method: z.string().optional(),
  }),
)

export const credentials = z.object({
  password: z.object({ changed_at: time }).optional(),
  passkeys: z.array(
    z.object({
      id: z.string(),
      name: z.string().optional(),
      kept_by: z.string().optional(),
      added_in: z.string().optional(),
      created_at: time,
      last_used_at: time.optional(),
    }),
  ),
  totp: z.object({ created_at: time }).optional(),
  backup_codes: z.object({ left: z.int(), total: z.int(), created_at: time }).optional(),
  connections: z
    .array(
      z.object({
        provider: z.string(),
        subject: z.string(),
        account: z.string().optional(),
        connected_at: time,
      }),
    )
    .readonly(),
})

export const passkeyName = z.strictObject({
  name: z.string().trim().min(1, 'Please enter a name').max(64, 'Please enter at most 64 characters'),
})

export const activity = z.array(
  z.object({
    id: z.string(),
    event: z.string(),
    outcome: z.enum(['ok', 'refused']),
    method: z.string().optional(),
    aal: z.enum(['aal1', 'aal2']).optional(),
    detail: z.string().optional(),
    device: z.string(),
    client_address: z.string().optional(),
    created_at: time,
  }),
)

export const exported = z.record(z.string(), z.unknown())

export const scheduled = z.object({ due_at: time })

export const deletion = z.object({ due_at: time.nullable() })

export type Device = z.infer<typeof devices>[number]
