import type { Context } from '../contract/contract.ts'
import { chooseSender } from './senders/choose.ts'
import type { Worker } from './worker.ts'
import { startWorker } from './worker.ts'

/** Starts a worker for each channel. */
export function startCourier(ctx: Context): readonly Worker[] {
  return (['email', 'sms'] as const).map((channel) => startWorker(ctx, channel, chooseSender(ctx, channel)))
}
