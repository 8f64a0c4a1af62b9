import type { Context } from '../contract/contract.ts'
import type { Message } from '../storage/messages.ts'
import type { Delivery } from './worker.ts'

/** Makes an attempt to send a message; metrics measure it, and the trace of the request that queued it shows it. */
export async function observed(
  { metrics, tracing }: Context,
  { id, type: channel, template_type }: Message,
  attempt: () => Promise<Delivery>,
): Promise<Delivery> {
  const measured = async () => {
    const started = performance.now()
    const delivery = await attempt()
    const seconds = (performance.now() - started) / 1000
    metrics.observe('identity_message_delivery_duration_seconds', { channel, result: delivery.kind }, seconds)
    return delivery
  }
  if (!tracing) return await measured()
  const attributes = { 'identity.message.channel': channel, 'identity.message.template': template_type }
  return await tracing.within({ name: `send ${channel}`, attributes, cause: id }, async (note) => {
    const delivery = await measured()
    const { kind } = delivery
    note({ 'identity.message.result': kind, ...(kind === 'sent' ? {} : { 'error.type': kind }) })
    return delivery
  })
}
