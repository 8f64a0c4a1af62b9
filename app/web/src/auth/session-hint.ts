import { entranceTo } from '../paths.ts'

const hint = /(^|; )session_hint=/

/**
 * False where asking for the session could only be answered with 401: the server sets the cookie with each page whose
 * request carried a cookie that may be a session's.
 */
export function mayHaveSession(): boolean {
  return hint.test(document.cookie) || entranceTo(location.pathname) !== undefined
}
