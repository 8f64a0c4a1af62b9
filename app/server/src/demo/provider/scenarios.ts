import { z } from 'zod'

/** How a provider answers My App after the user has agreed. */
export type Answer = 'normal' | 'slow' | 'garbage' | 'revoked'

/** What the consent page sends: the account, and the scenario. */
export const decision = z.object({
  decision: z.enum(['approve', 'deny']),
  /** The id of an account, or the kind of a new one. */
  user: z.string().max(40).default('new'),
  email: z.string().max(320).default(''),
  answer: z.enum(['normal', 'slow', 'garbage', 'revoked']).default('normal'),
})

export type Decision = z.infer<typeof decision>
