import { cookiePairs } from '@ostiary/identity/serving'
import type { MiddlewareHandler } from 'hono'

const NAME = 'session_hint'
/** Cookies that cannot be a session. Operators can rename the session cookie, so any other may be one. */
const others = /^(__Host-)?(csrf_token|ory_kratos_continuity|device$)|^(user_jwt|session_hint|demo_browser)$/

/**
 * Sets a cookie for scripts, which cannot read the session cookie. It saves anonymous visitors a request that
 * returns 401.
 */
export function sessionHint({ protocol }: URL): MiddlewareHandler {
  const attributes = `Path=/; SameSite=Lax${protocol === 'https:' ? '; Secure' : ''}`
  return async (c, next) => {
    await next()
    if (!c.req.header('accept')?.includes('text/html')) return
    const names = namesIn(c.req.header('cookie'))
    const hint = names.some(mayBeSession)
    if (hint === names.includes(NAME)) return
    const cookie = hint ? `${NAME}=1; ${attributes}` : `${NAME}=; ${attributes}; Max-Age=0`
    c.header('Set-Cookie', cookie, { append: true })
  }
}

export function mayHaveSession(cookies: string | undefined): boolean {
  return namesIn(cookies).some(mayBeSession)
}

function mayBeSession(name: string): boolean {
  return name !== '' && !others.test(name)
}

function namesIn(cookies = ''): string[] {
  return cookiePairs(cookies).map((pair) => pair.split('=', 1)[0] ?? '')
}
