import type { ErrorWords, ProtocolErrorParts } from '@ostiary/identity'
import type { ErrorId } from '@ostiary/identity/wire'

/** Ory Kratos' `message` and `reason`. Undefined if it has none. */
export function kratosWords({ id, status, code = status, ...parts }: ProtocolErrorParts): ErrorWords {
  const byId = id && WORDS[id]
  const isUnknown = status === 404 && parts.reason === undefined
  const message = byId?.message ?? (isUnknown ? UNKNOWN : (parts.message ?? MESSAGES[code]))
  const reason = parts.kratos_reason ?? byId?.reason
  return { ...(message && { message }), ...(reason && { reason }) }
}

/** No row was found. */
const UNKNOWN = 'Unable to locate the resource'

const WORDS: Readonly<Partial<Record<ErrorId, ErrorWords>>> = {
  identity_disabled: { message: 'identity is disabled', reason: 'This account was disabled.' },
  session_already_available: { message: 'you are already logged in' },
  session_aal1_required: {
    message: 'aal2 and aal3 can only be requested if a session exists already',
    reason: 'You can not requested a higher AAL (AAL2/AAL3) without an active session.',
  },
  session_aal2_required: {
    message: 'Session does not fulfill the requested Authenticator Assurance Level',
    reason:
      'An active session was found but it does not fulfill the requested Authenticator Assurance Level. Please verify yourself with a second factor to resolve this issue.',
  },
  session_inactive: {
    message: 'request does not have a valid authentication session',
    reason: 'No active session was found in this request.',
  },
  session_verified_address_required: {
    message: 'your email or phone address is not yet verified',
    reason:
      "Your account's email or phone address are not verified yet. Please check your email or phone inbox or re-request verification.",
  },
  session_refresh_required: {
    reason:
      'The login session is too old and thus not allowed to update these fields. Please re-authenticate.',
  },
  self_service_flow_expired: { message: 'self-service flow expired' },
  self_service_flow_disabled: {
    message: 'registration flow disabled',
    reason: 'Registration is not allowed because it was disabled.',
  },
  self_service_flow_replaced: {
    message: 'self-service flow replaced',
    reason: 'An error occured, please retry the flow.',
  },
  browser_location_change_required: { message: 'browser location change required' },
  security_csrf_violation: {
    message: 'the request was rejected to protect you from Cross-Site-Request-Forgery',
    reason:
      'Please retry the flow and optionally clear your cookies. The request was rejected to protect you from Cross-Site-Request-Forgery (CSRF) which could cause account takeover, leaking personal information, and other serious security issues.',
  },
  security_identity_mismatch: {
    reason:
      'The request was initiated by someone else and has been blocked for security reasons. Please go back and try again.',
  },
}

const MESSAGES: Readonly<Record<number, string>> = {
  400: 'The request was malformed or contained invalid parameters',
  401: 'The request could not be authorized',
  403: 'The requested action was forbidden',
  404: 'The requested resource could not be found',
  409: 'The resource could not be created due to a conflict',
  410: 'The requested resource is no longer available because it has expired or is otherwise invalid.',
  500: 'An internal server error occurred, please contact the system administrator',
}
