import type { Caller } from '../../caller.ts'
import { ProtocolError } from '../../errors.ts'

const DOCS = 'https://www.ory.com/kratos/docs/debug/csrf'

/**
 * The refusal of a request that may come from another site. `details` tell a developer which part
 * was missing; none of them is a secret.
 */
export function csrfViolation(
  caller: Caller,
  what: 'fetch' | 'no-token' | 'wrong-token' | 'unsafe-method',
): ProtocolError {
  const { csrf } = caller
  // Kratos compatibility: nothing more is told where the cookie came along and a form brought no token.
  const silent = csrf.sent && (what === 'fetch' || (what === 'no-token' && !caller.json))
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

function hintFor({ csrf }: Caller): string {
  if (csrf.ajax) return 'The request was made by a script: send it with credentials and from the same site.'
  return 'Open the form and send it with the same browser, with cookies switched on.'
}

function rejectReason({ csrf }: Caller, what: string): string {
  if (csrf.foreign_origin) return 'The Origin header names a site that is not allowed.'
  if (!csrf.cookie_header) return 'The request carried no cookies.'
  if (!csrf.sent) return 'The request carried cookies, but not the one for CSRF protection.'
  if (what === 'no-token') return 'The field csrf_token is missing.'
  return 'The field csrf_token does not belong to the cookie.'
}
