import { ADA } from '../kit/recovery-kit.ts'

const COMMON = ['csrf_token', 'method', 'transient_payload', 'screen', 'resend', 'x']
const KEYS = ['webauthn_register', 'webauthn_register_displayname', 'webauthn_remove', 'passkey_remove']
const PROVIDERS = ['provider', 'id_token', 'id_token_nonce', 'upstream_parameters', 'link', 'unlink']
export const FORMS = {
  login: {
    method: 'password',
    fields: [
      ...['identifier', 'password', 'password_identifier', 'code', 'address', 'totp_code', 'lookup_secret'],
      ...['passkey_login', 'webauthn_login', ...PROVIDERS, ...COMMON],
    ],
  },
  registration: {
    method: 'password',
    fields: [
      ...['traits.email', 'traits.name', 'traits', 'password', 'code', 'passkey_register'],
      ...[...KEYS, ...PROVIDERS, ...COMMON],
    ],
  },
  recovery: {
    method: 'code',
    fields: ['email', 'recovery_address', 'recovery_confirm_address', 'code', 'token', ...COMMON],
  },
  verification: { method: 'code', fields: ['email', 'code', 'token', ...COMMON] },
  settings: {
    method: 'profile',
    fields: [
      ...['traits.email', 'traits.name', 'traits', 'password', 'totp_code', 'totp_unlink', 'lookup_secret'],
      ...['passkey_settings_register', ...KEYS, ...PROVIDERS, ...COMMON],
    ],
  },
}
export const METHOD_OF: Readonly<Record<string, string>> = {
  code: 'code',
  address: 'code',
  totp_code: 'totp',
  lookup_secret: 'lookup_secret',
  passkey_login: 'passkey',
  passkey_register: 'passkey',
  passkey_settings_register: 'passkey',
  passkey_remove: 'passkey',
}
export const ALONGSIDE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  identifier: { password: 'a password 9 of many' },
  password: { identifier: ADA, 'traits.email': 'new@example.com' },
  'traits.email': { password: 'a password 9 of many' },
  'traits.name': { 'traits.email': 'new@example.com', password: 'a password 9 of many' },
}

export const ADMIN_BODIES: readonly ((text: string) => object)[] = [
  (email) => ({ traits: { email } }),
  (name) => ({ traits: { email: 'new@example.com', name } }),
  (value) => ({ traits: { email: ADA }, metadata_public: { [value]: value }, metadata_admin: value }),
  (password) => ({ traits: { email: ADA }, credentials: { password: { config: { password } } } }),
  (hash) => ({ traits: { email: ADA }, credentials: { password: { config: { hashed_password: hash } } } }),
  (subject) => ({
    traits: { email: ADA },
    credentials: { oidc: { config: { providers: [{ provider: subject, subject }] } } },
  }),
  (value) => ({
    traits: { email: ADA },
    verifiable_addresses: [{ value, via: 'email', verified: true }],
  }),
  (text) => ({ schema_id: text, external_id: text, state: text }),
  (text) => ({ traits: { email: ADA }, external_id: text }),
  (identity_id) => ({ identity_id, expires_in: identity_id }),
  (email) => ({ identities: [{ create: { traits: { email } } }] }),
  (path) => [{ op: 'add', path: `/metadata_public/${path}`, value: path }],
  (value) => [{ op: 'replace', path: '/traits/email', value }],
]
