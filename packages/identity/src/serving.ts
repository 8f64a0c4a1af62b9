// For processes that serve the library, such as packages/identity-server.

import type { Snapshot } from './metrics/metrics.ts'
import type { SecretUses } from './service/secret-use.ts'

// Configuration, from files and variables.
export type { ConfigIssue } from './config/checks/config-error.ts'
export { ConfigError, lineOf, pathOf } from './config/checks/config-error.ts'
export { notSupportedPaths } from './config/checks/ignored-keys.ts'
export type { Config } from './config/config.ts'
export { parseConfig } from './config/config.ts'
export type { ParsedConfig } from './config/schema.ts'
export { configSchema } from './config/schema.ts'
export { isLocal } from './config/service.ts'
export { fileProblem, readText, templateFiles } from './config/sources/files.ts'
export { FILE, localPath, parseText } from './config/sources/sources.ts'
export type { TrustedProxies } from './config/trusted-proxies.ts'
export { trustedProxies } from './config/trusted-proxies.ts'
export { VERSION } from './config/version.ts'
export type { Log } from './contract/contract.ts'
export { oneTimeCode } from './crypto/otp.ts'
export { messageOf } from './errors/errors.ts'

// The client, the route and the cookies of a request.
export { clientAddress, isProxy } from './http/client-address.ts'
export { cookiePairs, cookieValues } from './http/cookies.ts'
export { isAbortedUpload } from './http/errors.ts'
export { requestIdOf } from './http/headers.ts'
export type { PlainResponse, RoutedResponse } from './http/look-ups/fast-path.ts'
export { assignRoute, recordRoute, templateOf } from './http/route.ts'

// JSON and text from outside.
export { TRAIT_FORMATS } from './identities/schema/formats.ts'
export { isAddress, isLoopback } from './input/host.ts'
export { isObject, merge, valueAt } from './input/json.ts'
export { jsonOrText, readCapped } from './input/plain-text.ts'
export { clientOf } from './limits/keys.ts'

// Metrics, traces and workers.
export type { Catalogue } from './metrics/catalogue.ts'
export type { Metrics, Snapshot } from './metrics/metrics.ts'
export { resolveSources } from './outgoing/guarded-fetch.ts'
export { shareRun } from './service/jobs.ts'
export { createOutageLog } from './service/outage-log.ts'
export type { SecretUse } from './service/secret-use.ts'
export type { Inspection } from './service/settings.ts'
export { inspectSettings } from './service/settings.ts'
export type { WorkerSlot } from './service/worker-slot.ts'
export { readWorkerSlot, workerSlotVariable } from './service/worker-slot.ts'
export { sqlitePath } from './storage/sqlite/file.ts'
export { ATTRIBUTES } from './tracing/catalogue.ts'
export type { Attributes, Tracing } from './tracing/tracing.ts'
export { tracedCall, withFields, withTraceIds } from './tracing/tracing.ts'

/** Loads the metrics library on use, because a primary process needs little memory. */
export async function sumCounts(snapshots: readonly Snapshot[], exits: number): Promise<Snapshot> {
  return (await import('./metrics/metrics.ts')).sumCounts(snapshots, exits)
}

/** Lists the values that each of the secrets, in their order, still encrypts in a database, and what none of them decrypts. */
export async function listSecretUse(dsn: string, secrets: readonly string[]): Promise<SecretUses> {
  return await (await import('./service/secret-use.ts')).listSecretUse(dsn, secrets)
}
