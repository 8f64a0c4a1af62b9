// The primary loads only this entry, because it needs little memory.

export type { Log, WorkerSlot } from '@ostiary/identity/serving'
export { fileProblem, readWorkerSlot, trustedProxies, VERSION } from '@ostiary/identity/serving'
export {
  givenVariables,
  hasNoCredentials,
  NO_CREDENTIALS,
  readVariables,
  withFiles,
  workersVariable,
} from './configuration/variables.ts'
export { exitAfter, keepHeapSmall, stopOnSignal } from './process/lifetime.ts'
export type { LogOptions } from './process/log.ts'
export { createLog, gatheredOutput, outliveReader } from './process/log.ts'
export type { ConnectionLimits } from './sockets/connection-limit.ts'
export { connectionLimits } from './sockets/connection-limit.ts'
export { PortError } from './sockets/listen.ts'
export type { TracingSettings } from './traces/settings.ts'
export { readTracing, tracingSettings, tracingVariables } from './traces/settings.ts'
export { WorkerFailed } from './workers/member.ts'
export type { Workers } from './workers/primary.ts'
export { startWorkers } from './workers/primary.ts'
export type { Primary, WorkerCalls } from './workers/worker.ts'
export { joinPrimary } from './workers/worker.ts'
