import { ProductError } from '@ostiary/server'
import { Hono } from 'hono'

/** A page reads several calls at once. */
const GATHER_MS = 50
const EVENT = new TextEncoder().encode('data: changed\n\n')

/** The server cuts off responses of a minute, which pages report as errors. */
const LONGEST_MS = 50_000

/** Authenticator apps show a new code. */
const INTERVAL_MS = 30_000
/** Without the panel, other workers may send the emails. */
const WORKERS_INTERVAL_MS = 2000

export type Changes = ReturnType<typeof createChanges>

/** Asks the open pages of the demo to read again what they show. */
export function createChanges(now: () => Date, { hasPanel }: { readonly hasPanel: boolean }) {
  const interval = hasPanel ? INTERVAL_MS : WORKERS_INTERVAL_MS
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>()
  let gathering: NodeJS.Timeout | undefined
  let timer: NodeJS.Timeout | undefined
  let hasStopped = false
  const announce = () => {
    gathering ??= setTimeout(() => {
      gathering = undefined
      for (const stream of streams) stream.enqueue(EVENT)
    }, GATHER_MS).unref()
  }
  const tick = () => {
    announce()
    timer = setTimeout(tick, interval - (now().getTime() % interval)).unref()
  }
  tick()
  const openStream = (stream: ReadableStreamDefaultController<Uint8Array>) => {
    // At once, because the page may have missed some.
    stream.enqueue(EVENT)
    if (hasStopped) return stream.close()
    streams.add(stream)
    // The page opens the next one.
    setTimeout(() => streams.delete(stream) && stream.close(), LONGEST_MS).unref()
  }
  /** `/api/changes`: one stream of events per page. */
  const routes = new Hono().get('/', (c) => {
    // Hono would leave the stream open.
    if (c.req.method === 'HEAD')
      throw new ProductError('method_not_allowed', 405, 'This stream can only be read', {
        headers: { Allow: 'GET' },
      })
    let stream: ReadableStreamDefaultController<Uint8Array>
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        stream = controller
        openStream(stream)
      },
      cancel: () => void streams.delete(stream),
    })
    return c.body(body, 200, { 'Content-Type': 'text/event-stream' })
  })
  return {
    announce,
    routes,
    /** Ends the streams, which would delay the end of the server. */
    stop() {
      hasStopped = true
      clearTimeout(timer)
      clearTimeout(gathering)
      for (const stream of streams) stream.close()
      streams.clear()
    },
  }
}
