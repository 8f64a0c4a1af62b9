import type { IdentityDependencies } from '@ostiary/identity'
import { withTraceIds } from '@ostiary/identity/serving'
import { App, Browser, type Send } from '@ostiary/identity/testing'
import { atEnd } from '@ostiary/identity/testing/kit/databases'
import { createTestIdentity, type Merge, PUBLIC, type TestIdentity } from '@ostiary/identity/testing/kit/kit'
import { type Collector, startCollector } from '@ostiary/identity/testing/servers/collector'
import { listenOnLoopback } from '@ostiary/identity/testing/servers/loopback'
import { createClientReader, createListener } from '../src/http/listener.ts'
import { openTracing, readTracing } from '../src/traces/settings.ts'

interface Traced {
  readonly identity: TestIdentity
  readonly collector: Collector
  readonly base: string
  readonly browser: () => Browser
  readonly app: () => App
  readonly lines: readonly Readonly<Record<string, unknown>>[]
  readonly flush: () => Promise<void>
}

interface TracedParts extends Partial<IdentityDependencies> {
  readonly proxies?: number
  readonly env?: Readonly<Record<string, string>>
}

export async function tracedIdentity(
  overrides: Merge = {},
  { proxies = 0, env = {}, ...parts }: TracedParts = {},
): Promise<Traced> {
  const collector = await startCollector()
  atEnd(() => collector[Symbol.asyncDispose]())
  const lines: Record<string, unknown>[] = []
  const write = (fields: object, message: string) => void lines.push({ message, ...fields })
  const plain = { debug: write, info: write, warn: write, error: write }
  const tracing = await openTracing(
    readTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env }),
    plain,
  )
  if (!tracing) throw new Error('there is no collector')
  const log = withTraceIds(plain, tracing)
  const identity = await createTestIdentity(overrides, { ...parts, log, tracing })
  const listener = createListener({
    port: 'public',
    fetch: identity.publicApp.fetch,
    metrics: identity.metrics,
    tracing,
    client: createClientReader(proxies),
    server_address: 'identity.test',
    isStopping: () => false,
  })
  const { url: base, close } = await listenOnLoopback(listener)
  atEnd(close)
  const send: Send = (url, init) =>
    fetch(new URL(url.replace(PUBLIC, ''), base), { ...init, redirect: 'manual' })
  return {
    identity,
    collector,
    base,
    browser: () => new Browser(send),
    app: () => new App(send),
    lines,
    flush: () => tracing.stop(),
  }
}
