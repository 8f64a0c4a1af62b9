import type { TestIdentity } from './kit.ts'
import { until } from './until.ts'

/** Starts the workers, and waits for a whole round of the clean-up. */
export async function cleanedUp(identity: TestIdentity): Promise<void> {
  identity.start()
  await until(async () => {
    const { text } = await identity.metrics.expose()
    return /clean_up_duration_seconds_count [1-9]/.test(text)
  })
}
