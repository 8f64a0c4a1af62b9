// Row types. Times are ISO-8601 UTC text of fixed width, so they sort; JSON is text; a nullable time stands
// for a boolean and says when as well.

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
  /** The strongest proof that the credentials allow; kept with them, so that reading a session needs no second look. */
  available_aal: 'aal1' | 'aal2'
  created_at: string
  updated_at: string
}

export interface CredentialsTable {
  id: string
  identity_id: string
  type: string
  /** JSON object; what it holds is the strategy's business. */
  config: string
  version: number
  created_at: string
  updated_at: string
}

export interface CredentialIdentifiersTable {
  /** With `type` the primary key: nobody else can have it. */
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

/** A change of address: it waits for its code, or was made and can be undone. */
export interface AddressChangesTable {
  id: string
  identity_id: string
  /** JSON list: where the address stands in the traits. */
  trait: string
  /** JSON of the trait as it was; null when it was absent. */
  before: string | null
  /** JSON of the trait as it becomes. */
  after: string
  via: 'email' | 'sms'
  /** The new one. */
  address: string
  old_address: string | null
  created_at: string
  done_at: string | null
  /** Until then it can be confirmed; once it is done, undone. */
  expires_at: string
}

/** An account that its owner registered; operators' accounts have none. */
export interface SignUpsTable {
  identity_id: string
  /** JSON list of keyed hashes: the browsers that registered it or knew its password before an address was proven. */
  browsers: string
}

export interface SessionsTable {
  id: string
  identity_id: string
  /** SHA-256 of the token; the token itself is nowhere. */
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
  /** The session's token, encrypted, until it was fetched. */
  token: string | null
  expires_at: string
  used_at: string | null
}

export interface FlowsTable {
  id: string
  kind: string
  identity_id: string | null
  expires_at: string
  /** Grows with every save; a save names the one it saw. */
  version: number
  /** JSON of everything else, see `Flow`. */
  body: string
}

export interface CodesTable {
  id: string
  flow_id: string
  identity_id: string | null
  /** The address that a right answer proves. */
  address_id: string | null
  /** Where it was sent. */
  address: string
  secret_mac: string
  created_at: string
  expires_at: string
  used_at: string | null
}

/** How often something was tried. */
export interface LimitsTable {
  /** Keyed hash of what was tried, and by whom or at what. */
  key: string
  /** Milliseconds since 1970: when it may be tried again. */
  next_at: number
  /** When it is as if nothing had been tried. */
  until: number
}

export interface MessagesTable {
  id: string
  status: 'queued' | 'processing' | 'sent' | 'abandoned'
  type: 'email' | 'sms'
  template_type: string
  recipient: string
  /** Encrypted: a live code may be in it. */
  subject: string
  body: string
  html: string
  /** Encrypted JSON, of what leaves by an HTTP request only. */
  template_data: string | null
  send_count: number
  /** When the worker may take it (again). */
  due_at: string
  created_at: string
  updated_at: string
  /** After this moment it is not worth sending: its code is dead. */
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
  /** The name of the token template it signs for. */
  template: string
  /** JWK with its private part, encrypted. */
  private_jwk: string
  /** JWK as published. */
  public_jwk: string
  created_at: string
  /** From here on another key signs. */
  retired_at: string | null
  /** From here on it is no longer published. */
  expires_at: string
}

/** A single row. */
export interface InstallationTable {
  singleton: 'this'
  id: string
  created_at: string
  heartbeat_at: string
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

/** An account that its owner has asked to be deleted. */
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
  events: EventsTable
  account_deletions: AccountDeletionsTable
}
