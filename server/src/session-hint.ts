import { cookiePairs } from '@my-app/identity'
import type { MiddlewareHandler } from 'hono'

const NAME = 'session_hint'
/** Cookies that are never a session. Any other may be one: operators can rename it, and a wrong guess costs one call. */
const others = /^(__Host-)?(csrf_token|ory_kratos_continuity|device$)|^(user_jwt|session_hint)$/

/**
 * Tells the scripts of a page, which cannot read the session cookie, whether the browser has sent one that may be it.
 * Without the hint every anonymous visit would begin with a call that can only be answered with 401.
 */
export function sessionHint({ protocol }: URL): MiddlewareHandler {
  const place = `Path=/; SameSite=Lax${protocol === 'https:' ? '; Secure' : ''}`
  return async (c, next) => {
    await next()
    if (!c.req.header('accept')?.includes('text/html')) return
    const names = cookiePairs(c.req.header('cookie') ?? '').map((pair) => pair.split('=', 1)[0] ?? '')
    const mayHaveSession = names.some((name) => name !== '' && !others.test(name))
    if (mayHaveSession === names.includes(NAME)) return
    const cookie = mayHaveSession ? `${NAME}=1; ${place}` : `${NAME}=; ${place}; Max-Age=0`
    c.header('Set-Cookie', cookie, { append: true })
  }
}
