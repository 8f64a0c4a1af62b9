import { availableParallelism } from 'node:os'
import { z } from 'zod'

/** The environment variable of workers. */
export const workersVariable = {
  WORKERS: z
    .string()
    .regex(/^([1-9]\d?|auto)$/, { error: 'must be a number from 1 to 99, or auto' })
    .transform((value) => (value === 'auto' ? availableParallelism() : Number(value)))
    .prefault('1')
    .describe('processes that share the port; `auto`: one for each core'),
}
