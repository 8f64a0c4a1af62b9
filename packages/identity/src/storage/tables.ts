// Ids are lowercase UUIDs. Times are fixed-width ISO 8601 UTC text, so they sort. JSON is text. A
// nullable time replaces a boolean.

/** A row without its nulls. */
export type Present<Row> = {
  readonly [Name in keyof Row as null extends Row[Name] ? never : Name]: Row[Name]
} & { readonly [Name in keyof Row as null extends Row[Name] ? Name : never]?: NonNullable<Row[Name]> }

export function present<Row extends object>(row: Row): Present<Row> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Present<Row>
}

export interface IdentitiesTable {
  id: string
  schema_id: string
  /** JSON object. */
  traits: string
  /** JSON or null. */
  metadata_public: string | null
  metadata_admin: string | null
  state: 'active' | 'inactive'
  state_changed_at: string | null
  external_id: string | null
  /** Kept for imports and exports. */
  organization_id: string | null
  /** The highest level of the credentials, so that reading a session needs no second query. */
  available_aal: 'aal1' | 'aal2'
  created_at: string
  updated_at: string
  /** A separate column, which storing the identity does not overwrite. */
  devices_forgotten_at?: string | null
  /** Grows when sign-ins with an earlier proof must not finish. Also separate. */
  sign_in_epoch?: number
}

/** One of a type for each identity. */
export interface CredentialsTable {
  identity_id: string
  type: string
  /** JSON object, interpreted by the strategy. */
  config: string
  /** Grows with every change, for optimistic locking. */
  version: number
  created_at: string
  updated_at: string
}

export interface CredentialIdentifiersTable {
  /** Unique across identities: with `type` the primary key. */
  identifier: string
  type: string
  identity_id: string
}

export interface AddressesTable {
  id: string
  identity_id: string
  purpose: 'verification' | 'recovery'
  via: 'email' | 'sms'
  value: string
  status: 'pending' | 'sent' | 'completed'
  verified_at: string | null
  created_at: string
  updated_at: string
}

/** With `done_at` set, the change can still be undone. */
export interface AddressChangesTable {
  id: string
  identity_id: string
  /** JSON array, the path in the identity. */
  trait: string
  /** JSON; null if absent. */
  before: string | null
  /** JSON. */
  after: string
  via: 'email' | 'sms'
  address: string
  /** A change that removes several verified addresses is stored once for each. */
  old_address: string | null
  created_at: string
  done_at: string | null
  /** Deadline to confirm the change, or to undo it. */
  expires_at: string
}

/** Accounts that no operator made: self-registered here or in another service. */
export interface SignUpsTable {
  identity_id: string
  /** JSON array of keyed hashes, from before an address was verified. */
  browsers: string
  /** Verification by an operator does not count. */
  proven_at?: string | null
  /** Unset for an account that registered here. */
  imported_at?: string | null
}

export interface SessionsTable {
  id: string
  identity_id: string
  /** SHA-256. */
  token_hash: string
  aal: 'aal1' | 'aal2'
  /** JSON array of `AuthenticationMethod`. */
  methods: string
  /** JSON array of `Device`. */
  devices: string
  issued_at: string
  authenticated_at: string
  expires_at: string
  revoked_at: string | null
  /** To the minute. Null until the first use. */
  last_active_at: string | null
}

export interface SessionExchangesTable {
  id: string
  init_code_hash: string
  return_to_code_hash: string
  session_id: string | null
  /** Encrypted, until the app fetches it: the session's token, or before that what a registration needs. */
  token: string | null
  expires_at: string
  used_at: string | null
}

export interface FlowsTable {
  id: string
  kind: string
  identity_id: string | null
  expires_at: string
  /** Grows with every save, for optimistic locking. */
  version: number
  /** JSON of the other `Flow` members. */
  body: string
  /** JSON of the first answer to a submission. */
  answer: string | null
}

export interface CodesTable {
  id: string
  flow_id: string
  identity_id: string | null
  /** Entering the code verifies this address. */
  address_id: string | null
  address: string
  secret_mac: string
  created_at: string
  expires_at: string
  used_at: string | null
}

export interface LimitsTable {
  /** Keyed hash of the action and its subject. */
  key: string
  /** In milliseconds since 1970. */
  next_at: number
  /** In milliseconds since 1970. */
  until: number
}

export interface MessagesTable {
  id: string
  status: 'queued' | 'processing' | 'sent' | 'abandoned'
  type: 'email' | 'sms'
  template_type: string
  recipient: string
  /** Encrypted, because it may contain a live code. */
  subject: string
  body: string
  html: string
  /** Encrypted JSON, only for messages sent by HTTP request. */
  template_data: string | null
  send_count: number
  due_at: string
  created_at: string
  updated_at: string
  /** Not sent after this, because its code has expired. */
  expires_at: string | null
  /** Not a reference: the message outlives the account. Null for an address without an account. */
  identity_id: string | null
  /** The id of the request that queued it. */
  request_id: string | null
}

export interface MessageAttemptsTable {
  id: string
  message_id: string
  status: 'failed' | 'success'
  error: string | null
  created_at: string
}

export interface ErrorsTable {
  id: string
  /** JSON of `GenericError`. */
  body: string
  created_at: string
  updated_at: string
}

export interface SigningKeysTable {
  id: string
  template: string
  /** Encrypted JWK. */
  private_jwk: string
  /** The published JWK. */
  public_jwk: string
  created_at: string
  retired_at: string | null
  expires_at: string
}

interface InstallationTable {
  singleton: 'this'
  id: string
  created_at: string
  heartbeat_at: string
  /** JSON of `KnownSecrets`. */
  secrets: string | null
}

interface ReplicasTable {
  id: string
  /** JSON. */
  secrets: string
  seen_at: string
}

export interface EventsTable {
  id: string
  identity_id: string
  /** One of `EVENTS`. */
  event: string
  outcome: 'ok' | 'refused'
  method: string | null
  aal: 'aal1' | 'aal2' | null
  detail: string | null
  client_address: string
  user_agent: string
  created_at: string
}

export interface AccountDeletionsTable {
  identity_id: string
  requested_at: string
  due_at: string
}

export interface AdminCallsTable {
  id: string
  created_at: string
  /** Name of the token. */
  operator: string | null
  /** Such as `DELETE /identities/:id`. */
  method: string
  outcome: 'ok' | 'refused'
  identity_id: string | null
  /** The changed members of the account: `state: inactive, traits.email`. */
  changes: string | null
  client_address: string
  request_id: string
}

export interface Tables {
  identities: IdentitiesTable
  credentials: CredentialsTable
  credential_identifiers: CredentialIdentifiersTable
  addresses: AddressesTable
  address_changes: AddressChangesTable
  sign_ups: SignUpsTable
  sessions: SessionsTable
  session_exchanges: SessionExchangesTable
  flows: FlowsTable
  codes: CodesTable
  limits: LimitsTable
  messages: MessagesTable
  message_attempts: MessageAttemptsTable
  errors: ErrorsTable
  signing_keys: SigningKeysTable
  installation: InstallationTable
  replicas: ReplicasTable
  events: EventsTable
  identity_admin_calls: AdminCallsTable
  account_deletions: AccountDeletionsTable
}
