import { ProtocolError } from '../../errors/errors.ts'
import type { CookieChanges, OpenFlow, Outcome } from './decision.ts'

/** The change was stored before the failure, so the response sets its cookies. */
export class LaterFailure extends ProtocolError {
  readonly cookies: CookieChanges

  constructor({ parts }: ProtocolError, cookies: CookieChanges) {
    super(parts)
    this.cookies = cookies
  }
}

/** For calls of other services after a change was stored. As in Kratos, their failure ends no session. */
export async function keepCookies<R>(
  changed: Outcome | OpenFlow | { readonly cookies: CookieChanges },
  call: () => Promise<R>,
): Promise<R> {
  try {
    return await call()
  } catch (error) {
    const cookies = 'cookies' in changed ? changed.cookies : undefined
    throw error instanceof ProtocolError && cookies ? new LaterFailure(error, cookies) : error
  }
}
