import type { IdentityService } from '@ostiary/react'
import { loginPathFor } from '../routes.ts'
import { messageTexts } from '../texts/catalogue.ts'
import { readSettings } from './env.ts'
import { callApi } from './request.ts'

/** The identity service that the server wrote into the page. */
export function serviceOfPage(): IdentityService {
  const { identity_url: url, token_template: tokenizeAs, cookie_domain: cookieDomain } = readSettings()
  return {
    url,
    tokenizeAs,
    cookieDomain,
    messages: messageTexts(),
    mayHaveSession: () => hasSessionHint() || loginPathFor(location.pathname) !== undefined,
    needsCredential: async () => (await callApi('GET', '/account/session')).json.recovering,
  }
}

/** The server sets the cookie with each page whose request carried a possible session cookie. False in a prerender. */
export function hasSessionHint(): boolean {
  return typeof document === 'object' && /(^|; )session_hint=/.test(document.cookie)
}
