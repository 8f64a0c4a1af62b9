import type { Caller } from '../../contract/caller.ts'
import { ProtocolError } from '../../errors/errors.ts'

const DOCS = 'https://www.ory.com/kratos/docs/debug/csrf'

/**
 * The error for a request that may be forged by another site. `details` tell a developer which part was missing and
 * contain no secret.
 */
export function csrfViolation(
  caller: Caller,
  what: 'fetch' | 'no-token' | 'wrong-token' | 'unsafe-method',
): ProtocolError {
  // Kratos compatibility: no reason if the cookie was sent, and the token is missing elsewhere than in JSON.
  const silent =
    caller.csrf.sent && (what === 'fetch' || (isTokenMissing(caller, what) && !sendsJson(caller)))
  return new ProtocolError({
    id: 'security_csrf_violation',
    status: 403,
    reason: 'This request may not come from this site. Please reload the page and try again.',
    details: {
      docs: DOCS,
      hint: hintFor(caller),
      ...(silent ? {} : { reject_reason: rejectReason(caller, what) }),
    },
  })
}

function isTokenMissing({ csrf }: Caller, what: string): boolean {
  return what === 'no-token' || (what === 'unsafe-method' && !csrf.foreign_origin)
}

function sendsJson({ raw: { headers } }: Caller): boolean {
  return headers['Content-Type']?.[0]?.startsWith('application/json') ?? false
}

function hintFor({ csrf }: Caller): string {
  if (csrf.ajax) return 'The request came from a script: send it with credentials and from the same site.'
  return 'Open and submit the form in the same browser, with cookies enabled.'
}

function rejectReason({ csrf }: Caller, what: string): string {
  if (csrf.foreign_origin) return 'The Origin header names a site that is not allowed.'
  if (!csrf.cookie_header) return 'The request contained no cookies.'
  if (!csrf.sent) return 'The request contained cookies, but not the CSRF cookie.'
  if (what === 'no-token') return 'The csrf_token field is missing.'
  return 'The csrf_token field does not match the cookie.'
}
