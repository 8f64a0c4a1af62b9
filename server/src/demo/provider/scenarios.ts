import { z } from 'zod'

/** How a provider answers My App once the person has agreed. */
export type Answer = 'normal' | 'slow' | 'garbage' | 'revoked'

/** What the consent page sends: who it is, and what is to happen. */
export const decision = z.object({
  decision: z.enum(['approve', 'deny']),
  /** The id of a person, or what is special about a new one. */
  person: z.string().max(40).default('new'),
  email: z.string().max(320).default(''),
  answer: z.enum(['normal', 'slow', 'garbage', 'revoked']).default('normal'),
})

export type Decision = z.infer<typeof decision>
