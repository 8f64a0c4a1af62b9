import type { Config } from '../../config/config.ts'
import type { Context } from '../../contract/contract.ts'
import type { Channel } from '../templates/templates.ts'
import { createHttpSender } from './http.ts'
import type { Sender } from './sender.ts'
import { createSmtpSender } from './smtp.ts'

export function chooseSender({ config, fetch }: Pick<Context, 'config' | 'fetch'>, channel: Channel): Sender {
  const request = requestOf(config, channel)
  if (request) return createHttpSender(request, fetch)
  const { connection_uri } = config.courier.smtp
  if (connection_uri === undefined) return memorySender
  return channel === 'email' ? createSmtpSender(connection_uri, config.courier.smtp) : noChannel
}

export function requestOf(
  { courier }: Config,
  channel: Channel,
): Config['courier']['channels'][number]['request_config'] | undefined {
  if (channel === 'sms') return courier.channels[0]?.request_config
  return courier.delivery_strategy === 'http' ? courier.http.request_config : undefined
}

const noChannel: Sender = {
  send: async () => ({ kind: 'refused', reason: 'courier.channels has no channel for sms' }),
  close: () => undefined,
}

/** For demo mode: sends nothing, because the demo inbox shows the queue. */
export const memorySender: Sender = {
  send: async () => ({ kind: 'sent' }),
  close: () => undefined,
}
