import type { Config } from '../../config/config.ts'
import type { DeliveryBody, DeliveryContext } from '../../config/courier.ts'
import { writeRequest } from '../../config/outgoing-request.ts'
import type { Delivery, OutgoingMail, Sender } from './sender.ts'

type Request = Config['courier']['channels'][number]['request_config']

const PATIENCE_MS = 10_000

export function createHttpSender(request: Request, fetch: typeof globalThis.fetch): Sender {
  const ended = new AbortController()
  return {
    close: () => ended.abort(),
    async send(mail) {
      const requestBody = await makeBody(request.body ?? standardBody, contextOf(mail))
      const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(PATIENCE_MS)])
      try {
        const answer = await fetch(request.url, { ...writeRequest(request, requestBody), signal })
        await answer.body?.cancel()
        return deliveryFor(answer.status)
      } catch (error) {
        return judgeFailure(error as Error)
      }
    },
  }
}

async function makeBody(body: DeliveryBody, ctx: DeliveryContext): Promise<object> {
  const requestBody = await body({ ctx })
  if (typeof requestBody === 'object' && requestBody !== null) return requestBody
  throw new Error('the request body is not an object')
}

function contextOf({ text, html, channel, template_data = {}, ...mail }: OutgoingMail): DeliveryContext {
  const { recipient, subject, template_type } = mail
  const texts = { subject, body: text, ...(html !== '' && { html_body: html }) }
  return { recipient, ...texts, template_type, template_data, message_type: channel, request_headers: {} }
}

const standardBody: DeliveryBody = ({ ctx }) => {
  const { recipient, template_type, subject, body, template_data } = ctx
  const names = ['to', 'recovery_code', 'recovery_url', 'verification_url', 'verification_code']
  const data = Object.fromEntries(names.map((name) => [name, template_data[name] ?? null]))
  return { recipient, template_type, ...data, subject, body }
}

/** Responses that any message would get. */
const UNAVAILABLE = [429, 502, 503, 504]

/** The reason omits the response body, which may quote the code. */
function deliveryFor(status: number): Delivery {
  if (status >= 200 && status < 300) return { kind: 'sent' }
  const reason = `the response was ${status}`
  return { kind: UNAVAILABLE.includes(status) ? 'unreachable' : 'postponed', reason }
}

function judgeFailure({ name, cause, message }: Error): Delivery {
  // It may have arrived, so it counts as an attempt.
  if (name === 'TimeoutError') return { kind: 'postponed', reason: 'no response within 10 s' }
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : message
  return { kind: 'unreachable', reason: `no connection: ${code.slice(0, 100)}` }
}
