import { createIdentity, type Identity, type IdentityConfigInput } from '@ostiary/identity'
import { createMetrics, LostSecrets, METRICS } from '@ostiary/identity/operating'
import { ConfigError, type Log, messageOf, parseConfig, withTraceIds } from '@ostiary/identity/serving'
import { closePorts, openTracing, socketPath } from '@ostiary/identity-server'
import type { Primary, TracingSettings, WorkerCalls } from '@ostiary/identity-server/process'
import type { loadConfig } from '../configuration/load-config.ts'
import { watchFiles } from '../configuration/watch-files.ts'
import { kratos } from '../kratos.ts'
import { openLog, warner } from './configured-log.ts'
import { openPorts, type Ports, type Service } from './ports.ts'

/** Time for running requests once the ports are closed. */
const GRACE_MS = 8000

/** Load balancers with checks every second send requests for this long. */
const DRAIN_MS = 1000

export type ReadConfig = (beforeReading?: Parameters<typeof loadConfig>[2]) => Promise<IdentityConfigInput>

export interface ServiceOptions {
  readonly read: ReadConfig
  readonly tracing: TracingSettings | undefined
  readonly primary: Primary | undefined
}

/** Sent by the first worker to the others. */
export interface Announcement {
  readonly ports: Ports
  readonly text: string
}

export interface Running extends Omit<WorkerCalls, 'ping' | 'stop'> {
  readonly announcement: Announcement
  /** Finishes running requests and background work. */
  stop(): Promise<void>
}

/** Throws `ConfigError`. */
export async function startService({ read, tracing: settings, primary }: ServiceOptions): Promise<Running> {
  const watcher = watchFiles()
  const input = await read(watcher.add)
  const { config } = parseConfig(input)
  const slot = primary?.slot
  const firstAnnouncement = slot?.announcement as Announcement | undefined
  const plainLog = openLog(config, { shared: slot !== undefined })
  const tracing = await openTracing(settings, plainLog)
  const log = withTraceIds(plainLog, tracing)
  const identity = await createIdentity(input, {
    defaults: 'kratos',
    kratos,
    log,
    // The first worker logs the warnings, which concern all.
    warn: (slot?.number ?? 1) === 1 ? warner(config) : () => {},
    metrics: createMetrics(METRICS, primary?.snapshots),
    tracing,
    slot,
  }).catch(withAdvice)
  const service: Service = { identity, tracing, servers: [], stopping: false }
  const listening = { log, workers: slot?.of ?? 1, shared: firstAnnouncement?.ports }
  const ports = await openPorts(service, config, listening).catch(async (error: unknown) => {
    await stop(service, 0)
    throw error
  })
  identity.start()
  const worker = slot ? { worker: slot.number } : {}
  watcher
    .run(() => reload(() => read(watcher.add), identity, { log, worker }))
    .catch((error: unknown) => {
      log.error({ ...worker, err: error }, 'configuration files are no longer watched')
    })
  return {
    announcement: { ports, text: announcement(identity, ports) },
    becomeLeader: identity.becomeLeader,
    snapshot: identity.metrics.snapshot,
    stop: () => stop(service, identity.config.dev ? 0 : DRAIN_MS),
  }
}

/** Keeps the current configuration if the new one is invalid. */
async function reload(
  read: () => Promise<IdentityConfigInput>,
  identity: Identity,
  { log, worker }: { readonly log: Log; readonly worker: object },
): Promise<void> {
  try {
    await identity.reconfigure(await read())
    log.info(worker, 'configuration reloaded')
  } catch (error) {
    log.warn(worker, `configuration rejected: ${messageOf(error)}`)
  }
}

function withAdvice(error: unknown): never {
  if (!(error instanceof LostSecrets)) throw error
  const message = `${error.message}. If it is lost for good, run this once with --forget-secrets`
  throw new ConfigError([{ path: '', message }], { cause: error })
}

function announcement({ config: { serve }, database }: Identity, { open, admin }: Ports): string {
  const { token, tokens } = serve.admin
  const callers = token === undefined && tokens.length === 0 ? 'every caller' : 'callers with the token'
  return [
    `Public port: ${addressOf(serve.public.host, open)}, known as ${serve.public.base_url}`,
    `Admin port:  ${addressOf(serve.admin.host, admin)} (full access for ${callers})`,
    `Data:        ${database}`,
    '',
  ].join('\n')
}

function addressOf(host: string, port: number): string {
  return socketPath(host) === undefined ? `${host}:${port}` : host
}

async function stop(service: Service, drain: number): Promise<void> {
  const { servers, identity, tracing } = service
  service.stopping = true
  await closePorts(servers, { drain, grace: GRACE_MS })
  await identity.stop()
  await tracing?.stop()
}
