export interface Kind {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  /** Values come from closed lists or the configuration: never an id, an address or a raw path. */
  readonly labels: readonly string[]
  readonly buckets?: readonly number[]
  /** How workers' gauges combine: `sum` if absent, which values from the shared database are not. */
  readonly workers?: 'max' | 'min' | 'first'
}

export type Catalogue = Readonly<Record<string, Kind>>

/** Seconds, from a look-up in memory to a request that times out. */
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const STATEMENT_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5]

export const METRICS = {
  identity_build_info: {
    type: 'gauge',
    labels: ['version'],
    workers: 'first',
    help: 'The running version; always 1',
  },
  identity_worker_exits_total: {
    type: 'counter',
    labels: [],
    help: 'Workers that exited and were replaced',
  },
  http_request_duration_seconds: {
    type: 'histogram',
    labels: ['port', 'method', 'route', 'status'],
    buckets: REQUEST_BUCKETS,
    help: 'Requests by the template of their route, until the last byte was sent',
  },
  identity_flows_opened_total: { type: 'counter', labels: ['kind', 'type'], help: 'Flows that were opened' },
  identity_flows_finished_total: {
    type: 'counter',
    labels: ['kind', 'method'],
    help: 'Flows that reached their end, by the method that finished them',
  },
  identity_sign_ins_total: {
    type: 'counter',
    labels: ['method'],
    help: 'Successful logins and second factors',
  },
  identity_sign_ins_refused_total: {
    type: 'counter',
    labels: ['method', 'reason'],
    help: 'Refused logins and second factors',
  },
  identity_security_events_total: {
    type: 'counter',
    labels: ['event', 'outcome'],
    help: 'Security events, as in the log',
  },
  identity_limits_reached_total: {
    type: 'counter',
    labels: ['limit'],
    help: 'Refusals by a rate limit; an attempt may pass on the one behind it',
  },
  identity_sessions_live: {
    type: 'gauge',
    labels: [],
    workers: 'max',
    help: 'Sessions that have not ended: counted once a minute, up to 100000',
  },
  identity_messages_queued_total: {
    type: 'counter',
    labels: ['channel', 'template'],
    help: 'Messages that were queued for sending',
  },
  identity_message_delivery_duration_seconds: {
    type: 'histogram',
    labels: ['channel', 'result'],
    buckets: REQUEST_BUCKETS,
    help: 'Attempts to send a message',
  },
  identity_messages_abandoned_total: {
    type: 'counter',
    labels: ['channel'],
    help: 'Messages that will not be sent: refused, expired or tried too often',
  },
  identity_messages_waiting: {
    type: 'gauge',
    labels: [],
    workers: 'max',
    help: 'Messages in the queue, up to 10000',
  },
  identity_messages_oldest_seconds: {
    type: 'gauge',
    labels: [],
    workers: 'max',
    help: 'Age of the oldest message that is due or was tried; 0 without one',
  },
  identity_hash_duration_seconds: {
    type: 'histogram',
    labels: [],
    buckets: REQUEST_BUCKETS,
    help: 'Password hashes, without their wait',
  },
  identity_hash_wait_seconds: {
    type: 'histogram',
    labels: [],
    buckets: REQUEST_BUCKETS,
    help: 'Wait of a password hash for its turn',
  },
  identity_hash_queue_waiting: {
    type: 'gauge',
    labels: [],
    help: 'Password hashes that wait for their turn',
  },
  identity_hash_refusals_total: {
    type: 'counter',
    labels: [],
    help: 'Password hashes that were refused because the queue was full or the wait too long',
  },
  identity_database_statement_duration_seconds: {
    type: 'histogram',
    labels: ['operation'],
    buckets: STATEMENT_BUCKETS,
    help: 'Statements; on SQLite with their wait for other writers',
  },
  identity_database_failures_total: {
    type: 'counter',
    labels: ['cause'],
    help: 'Statements and connections that failed, except for invalid values; `conflict` was repeated',
  },
  identity_database_wait_seconds: {
    type: 'histogram',
    labels: [],
    buckets: STATEMENT_BUCKETS,
    help: 'Wait for a connection (PostgreSQL) or for the turn to write (SQLite)',
  },
  identity_database_connections: {
    type: 'gauge',
    labels: ['state'],
    help: 'PostgreSQL only: connections of the pool that are used or idle, and callers that wait for one',
  },
  identity_database_writable: {
    type: 'gauge',
    labels: [],
    workers: 'min',
    help: '1 while the database accepts writes, else 0, as in /health/ready',
  },
  identity_clock_offset_seconds: {
    type: 'gauge',
    labels: [],
    workers: 'first',
    help: "PostgreSQL only: how far the machine's clock is ahead of the database's",
  },
  identity_outgoing_request_duration_seconds: {
    type: 'histogram',
    labels: ['target', 'provider', 'status'],
    buckets: REQUEST_BUCKETS,
    help: 'Calls of providers, web hooks, the OAuth 2.0 server and the list of breached passwords',
  },
  identity_clean_up_duration_seconds: {
    type: 'histogram',
    labels: [],
    buckets: [0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300],
    help: 'Rounds of the clean-up',
  },
  identity_clean_up_rows_total: {
    type: 'counter',
    labels: ['table'],
    help: 'Rows that the clean-up deleted',
  },
} as const satisfies Catalogue
