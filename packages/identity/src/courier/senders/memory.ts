import type { Sender } from '../worker.ts'

/** For demo mode: a queued message counts as sent, and the demo inbox shows the queue. Nothing leaves the app. */
export const memorySender: Sender = {
  send: async () => ({ kind: 'sent' }),
  close: () => undefined,
}
