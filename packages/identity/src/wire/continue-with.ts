export type ContinueWith =
  | { readonly action: 'redirect_browser_to'; readonly redirect_browser_to: string }
  | {
      readonly action: 'show_verification_ui'
      readonly flow: { readonly id: string; readonly verifiable_address: string; readonly url?: string }
    }
  | { readonly action: 'set_ory_session_token'; readonly ory_session_token: string }
  | { readonly action: 'show_settings_ui'; readonly flow: { readonly id: string; readonly url?: string } }
  | { readonly action: 'show_recovery_ui'; readonly flow: { readonly id: string; readonly url?: string } }
