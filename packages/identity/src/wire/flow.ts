import type { Identity } from './identity.ts'
import type { Ui } from './node.ts'
import type { Aal } from './session.ts'

export type FlowKind = 'login' | 'registration' | 'settings' | 'recovery' | 'verification'

/** Set by the route that created the flow, never by headers. */
export type FlowType = 'browser' | 'api'

/**
 * `settings` starts with `show_form`, a recovery with a choice of addresses uses `recovery_…`,
 * others start with `choose_method`.
 */
export type FlowState =
  | 'choose_method'
  | 'sent_email'
  | 'passed_challenge'
  | 'show_form'
  | 'success'
  | 'recovery_awaiting_address'
  | 'recovery_awaiting_address_choice'
  | 'recovery_confirming_address'
  | 'recovery_awaiting_code'

export type Method =
  | 'password'
  | 'code'
  | 'link'
  | 'oidc'
  | 'totp'
  | 'lookup_secret'
  | 'webauthn'
  | 'passkey'
  | 'profile'
  | 'identifier_first'

/** Members of a login or registration that an OAuth 2.0 server requested. */
interface RequestedByOAuth2 {
  readonly oauth2_login_challenge?: string
  /** Hydra's `oAuth2LoginRequest`. */
  readonly oauth2_login_request?: Readonly<Record<string, unknown>>
}

interface AnyFlow {
  readonly id: string
  readonly type: FlowType
  readonly expires_at: string
  readonly issued_at: string
  readonly request_url: string
  readonly return_to?: string
  readonly active?: string
  readonly ui: Ui
  readonly state: FlowState
  readonly transient_payload?: unknown
}

export interface LoginFlow extends AnyFlow, RequestedByOAuth2 {
  readonly organization_id: string | null
  readonly refresh: boolean
  readonly requested_aal: Aal
  readonly created_at: string
  readonly updated_at: string
  readonly session_token_exchange_code?: string
  readonly identity_schema?: string
}

export interface RegistrationFlow extends AnyFlow, RequestedByOAuth2 {
  readonly organization_id: string | null
  readonly session_token_exchange_code?: string
  readonly identity_schema?: string
}

export type VerificationFlow = AnyFlow

export interface SettingsFlow extends AnyFlow {
  readonly identity: Identity
  /** Only in the response to a change. */
  readonly continue_with?: readonly ContinueWith[]
}

export interface RecoveryFlow extends AnyFlow {
  readonly continue_with?: readonly ContinueWith[]
}

export type ContinueWith =
  | { readonly action: 'redirect_browser_to'; readonly redirect_browser_to: string }
  | {
      readonly action: 'show_verification_ui'
      readonly flow: { readonly id: string; readonly verifiable_address: string; readonly url?: string }
    }
  | { readonly action: 'set_ory_session_token'; readonly ory_session_token: string }
  | { readonly action: 'show_settings_ui'; readonly flow: { readonly id: string; readonly url?: string } }
  | { readonly action: 'show_recovery_ui'; readonly flow: { readonly id: string; readonly url?: string } }
