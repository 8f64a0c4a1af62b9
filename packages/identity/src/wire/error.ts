/** Clients rely on these ids. */
export type ErrorId =
  | 'identity_disabled'
  | 'session_already_available'
  | 'session_aal1_required'
  | 'session_aal2_required'
  | 'session_inactive'
  | 'session_verified_address_required'
  | 'session_refresh_required'
  | 'self_service_flow_expired'
  | 'self_service_flow_disabled'
  | 'self_service_flow_replaced'
  | 'self_service_flow_return_to_forbidden'
  | 'browser_location_change_required'
  | 'security_csrf_violation'
  | 'security_identity_mismatch'
  | 'invalid_configuration'
  | 'upstream_error'
  | 'too_many_attempts'

export interface GenericError {
  readonly id?: ErrorId
  readonly code?: number
  readonly status?: string
  readonly request?: string
  readonly reason?: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly message: string
}
