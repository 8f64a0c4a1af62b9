export interface MetricKind {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  /** Values come from closed lists or the configuration: never an id, an address or a raw path. */
  readonly labels: readonly string[]
  readonly buckets?: readonly number[]
  /** How workers' gauges combine: `sum` if absent, which values from the shared database are not. */
  readonly workers?: 'max' | 'min' | 'first'
}

export type Catalogue = Readonly<Record<string, MetricKind>>

/** Seconds, from a look-up in memory to a request that times out. */
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const STATEMENT_BUCKETS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5]

export const METRICS = {
  identity_build_info: gauge('The running version; always 1', ['version'], 'first'),
  identity_worker_exits_total: counter('Workers that exited and were replaced', []),
  http_request_duration_seconds: histogram(
    'Requests by the template of their route, until the last byte was sent',
    ['port', 'method', 'route', 'status'],
    REQUEST_BUCKETS,
  ),
  identity_flows_opened_total: counter('Flows that were opened', ['kind', 'type']),
  identity_flows_finished_total: counter('Flows that reached their end, by the method that finished them', [
    'kind',
    'method',
  ]),
  identity_sign_ins_total: counter('Successful logins and second factors', ['method']),
  identity_sign_ins_refused_total: counter('Refused logins and second factors', ['method', 'reason']),
  identity_security_events_total: counter('Security events, as in the log', ['event', 'outcome']),
  identity_limits_reached_total: counter(
    'Refusals by a rate limit; an attempt may pass on the one behind it',
    ['limit'],
  ),
  identity_sessions_live: gauge(
    'Sessions that have not ended: counted once a minute, up to 100000',
    [],
    'max',
  ),
  identity_messages_queued_total: counter('Messages that were queued for sending', ['channel', 'template']),
  identity_message_delivery_duration_seconds: histogram(
    'Attempts to send a message',
    ['channel', 'result'],
    REQUEST_BUCKETS,
  ),
  identity_messages_abandoned_total: counter(
    'Messages that will not be sent: refused, expired or tried too often',
    ['channel'],
  ),
  identity_messages_waiting: gauge('Messages in the queue, up to 10000', [], 'max'),
  identity_messages_oldest_seconds: gauge(
    'Age of the oldest message that is due or was tried; 0 without one',
    [],
    'max',
  ),
  identity_hash_duration_seconds: histogram('Password hashes, without their wait', [], REQUEST_BUCKETS),
  identity_hash_wait_seconds: histogram('Wait of a password hash for its turn', [], REQUEST_BUCKETS),
  identity_hash_queue_waiting: gauge('Password hashes that wait for their turn', []),
  identity_hash_refusals_total: counter(
    'Password hashes that were refused because the queue was full or the wait too long',
    [],
  ),
  identity_database_statement_duration_seconds: histogram(
    'Statements; on SQLite with their wait for other writers',
    ['operation'],
    STATEMENT_BUCKETS,
  ),
  identity_database_failures_total: counter(
    'Statements and connections that failed, except for invalid values; `conflict` was repeated',
    ['cause'],
  ),
  identity_database_wait_seconds: histogram(
    'Wait for a connection (PostgreSQL) or for the turn to write (SQLite)',
    [],
    STATEMENT_BUCKETS,
  ),
  identity_database_connections: gauge(
    'PostgreSQL only: connections of the pool that are used or idle, and callers that wait for one',
    ['state'],
  ),
  identity_database_writable: gauge(
    '1 while the database accepts writes, else 0, as in /health/ready',
    [],
    'min',
  ),
  identity_clock_offset_seconds: gauge(
    "PostgreSQL only: how far the machine's clock is ahead of the database's",
    [],
    'first',
  ),
  identity_outgoing_request_duration_seconds: histogram(
    'Calls of providers, web hooks, the OAuth 2.0 server and the list of breached passwords',
    ['target', 'provider', 'status'],
    REQUEST_BUCKETS,
  ),
  identity_clean_up_duration_seconds: histogram(
    'Rounds of the clean-up',
    [],
    [0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300],
  ),
  identity_clean_up_rows_total: counter('Rows that the clean-up deleted', ['table']),
} satisfies Catalogue

function counter<const Labels extends readonly string[]>(help: string, labels: Labels) {
  return { type: 'counter', labels, help } as const
}

function gauge<const Labels extends readonly string[]>(
  help: string,
  labels: Labels,
  workers?: MetricKind['workers'],
) {
  return { type: 'gauge', labels, ...(workers && { workers }), help } as const
}

function histogram<const Labels extends readonly string[]>(
  help: string,
  labels: Labels,
  buckets: readonly number[],
) {
  return { type: 'histogram', labels, buckets, help } as const
}
