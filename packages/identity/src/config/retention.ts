import { z } from 'zod'
import { duration } from './values.ts'

const HOUR_MS = 3_600_000

/** Our own keys: how long data are kept that the service does not need any more (docs/privacy.md). */
export const retention = z
  .strictObject({
    /** Accounts that users registered and never verified; `off` keeps them, as Kratos does. */
    unverified_accounts: z
      .union([z.literal('off').transform(() => undefined), duration], {
        error: 'expected off, or a duration such as 168h',
      })
      .prefault('off'),
    /** Sessions, from their expiry on. */
    ended_sessions: duration.default(24 * HOUR_MS),
    /** Security events. */
    events: duration.default(90 * 24 * HOUR_MS),
    /** The text of a message that was sent: it may contain a code. Its recipient and status are kept for a week. */
    sent_messages: z.enum(['keep', 'erase'], { error: 'expected keep or erase' }).default('keep'),
  })
  .prefault({})
