// Row types. Times are ISO 8601 UTC text of fixed width, so they sort; JSON is text; a nullable time replaces a boolean
// and says when.

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
  /**
   * The highest assurance level that the credentials allow, kept here so that reading a session needs no second query.
   */
  available_aal: 'aal1' | 'aal2'
  created_at: string
  updated_at: string
  /** Not part of the identity, so that storing one again does not undo it. */
  devices_forgotten_at?: string | null
}

export interface CredentialsTable {
  id: string
  identity_id: string
  type: string
  /** JSON object, interpreted by the strategy. */
  config: string
  version: number
  created_at: string
  updated_at: string
}

export interface CredentialIdentifiersTable {
  /** Primary key together with `type`, hence unique across identities. */
  identifier: string
  type: string
  credential_id: string
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

/** A change of address: waiting for its code, or done and reversible. */
export interface AddressChangesTable {
  id: string
  identity_id: string
  /** JSON list: the path of the address in the traits. */
  trait: string
  /** JSON of the old trait; null if it was absent. */
  before: string | null
  /** JSON of the new trait. */
  after: string
  via: 'email' | 'sms'
  /** The new address. */
  address: string
  old_address: string | null
  created_at: string
  done_at: string | null
  /** Until then it can be confirmed, or undone once it is done. */
  expires_at: string
}

/** An account that a user registered; accounts created by operators have no row. */
export interface SignUpsTable {
  identity_id: string
  /**
   * JSON list of keyed hashes: the browsers that registered the account or signed in to it before an address was
   * verified.
   */
  browsers: string
  /** When its user first proved an address. A verification by an operator does not count. */
  proven_at?: string | null
}

export interface SessionsTable {
  id: string
  identity_id: string
  /** SHA-256 of the token, which is not stored. */
  token_hash: string
  aal: 'aal1' | 'aal2'
  /** JSON list of `AuthenticationMethod`. */
  methods: string
  /** JSON list of `Device`. */
  devices: string
  issued_at: string
  authenticated_at: string
  expires_at: string
  revoked_at: string | null
  last_active_at: string | null
}

export interface SessionExchangesTable {
  id: string
  flow_id: string
  init_code_hash: string
  return_to_code_hash: string
  session_id: string | null
  /** The session's token, encrypted, until the app has fetched it. */
  token: string | null
  expires_at: string
  used_at: string | null
}

export interface FlowsTable {
  id: string
  kind: string
  identity_id: string | null
  expires_at: string
  /** Increases with every save. An update names the version that it read. */
  version: number
  /** JSON of all other members, see `Flow`. */
  body: string
}

export interface CodesTable {
  id: string
  flow_id: string
  identity_id: string | null
  /** The address that entering the code verifies. */
  address_id: string | null
  /** Where the code was sent. */
  address: string
  secret_mac: string
  created_at: string
  expires_at: string
  used_at: string | null
}

/** The state of rate limits. */
export interface LimitsTable {
  /** Keyed hash of the limited action and its subject. */
  key: string
  /** Milliseconds since 1970: the next allowed use. */
  next_at: number
  /** Milliseconds since 1970: complete refill. */
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
  /** When a worker may take the message (again). */
  due_at: string
  created_at: string
  updated_at: string
  /** Not sent after this moment, because its code has expired. */
  expires_at: string | null
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
  /** The token template that the key signs for. */
  template: string
  /** JWK with the private part, encrypted. */
  private_jwk: string
  /** The published JWK. */
  public_jwk: string
  created_at: string
  /** From here on another key signs. */
  retired_at: string | null
  /** From here on the key is no longer published. */
  expires_at: string
}

/** A single row. */
export interface InstallationTable {
  singleton: 'this'
  id: string
  created_at: string
  heartbeat_at: string
  /** JSON of `KnownSecrets`. */
  secrets: string | null
}

export interface ReplicasTable {
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

/** An account whose owner has requested its deletion. */
export interface AccountDeletionsTable {
  identity_id: string
  requested_at: string
  due_at: string
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
  account_deletions: AccountDeletionsTable
}
