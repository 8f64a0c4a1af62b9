import type { Tracing } from './tracing.ts'

export interface OutgoingCall {
  readonly target:
    | 'provider'
    | 'web_hook'
    | 'breached_passwords'
    | 'oauth2_provider'
    | 'product'
    | 'identity_service'
  readonly provider?: string
  readonly method: string
  /** Only its host is shown: paths and queries may hold secrets. */
  readonly url: string | URL
}

export async function tracedCall<Answer>(
  tracing: Tracing | undefined,
  { target, provider, method, url }: OutgoingCall,
  call: () => Promise<Answer>,
  statusOf: (answer: Answer) => number,
): Promise<Answer> {
  if (!tracing) return await call()
  const attributes = {
    'identity.call.target': target,
    ...(provider === undefined ? {} : { 'identity.call.provider': provider }),
    'http.request.method': method,
    'server.address': new URL(url).hostname,
  }
  return await tracing.within({ name: `${method} ${target}`, attributes }, async (note) => {
    const answer = await call()
    const status = statusOf(answer)
    note({ 'http.response.status_code': status, ...(status >= 400 ? { 'error.type': String(status) } : {}) })
    return answer
  })
}
