import type { Config } from '../../config.ts'
import type { Sender } from '../worker.ts'
import { memorySender } from './memory.ts'
import { createSmtpSender } from './smtp.ts'

/** Mails leave by SMTP where a server is configured; else they stay in the app and the inbox of demo mode shows them. */
export function chooseSender({ courier }: Config): Sender {
  const { connection_uri } = courier.smtp
  return connection_uri === undefined ? memorySender : createSmtpSender(connection_uri, courier.smtp)
}
