import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface OneAtATime {
  readonly listener: RequestListener
  /** Running responses and when each began, oldest first. */
  readonly running: ReadonlyMap<ServerResponse, number>
}

/**
 * Node emits every request of a packet at once: without this, 64 KB would start 1,600 responses for a client
 * that reads none.
 */
export function oneAtATime(answer: RequestListener): OneAtATime {
  const queues = new WeakMap<Socket, Queue>()
  const running = new Map<ServerResponse, number>()
  let totalWaiting = 0
  const startExchange = (queue: Queue, { request, response }: Exchange) => {
    running.set(response, performance.now())
    // Emitted when the response is sent or the socket is gone.
    response.on('close', () => {
      running.delete(response)
      startNext(queue, request.socket)
    })
    answer(request, response)
  }
  const startNext = (queue: Queue, socket: Socket) => {
    if (socket.destroyed) return
    const nextExchange = queue.waiting.shift()
    if (nextExchange) {
      totalWaiting -= 1
      // Between two of them, other connections have their turn.
      setImmediate(startExchange, queue, nextExchange)
      return
    }
    queue.isBusy = false
    if (socket.isPaused()) socket.resume()
  }
  const queueOf = (socket: Socket): Queue => {
    const existingQueue = queues.get(socket)
    if (existingQueue) return existingQueue
    const queue: Queue = { isBusy: false, waiting: [] }
    queues.set(socket, queue)
    socket.once('close', () => {
      totalWaiting -= queue.waiting.splice(0).length
    })
    return queue
  }
  const listener: RequestListener = (request, response) => {
    const { socket } = request
    const queue = queueOf(socket)
    if (!queue.isBusy) {
      queue.isBusy = true
      return startExchange(queue, { request, response })
    }
    if (queue.waiting.length >= MAX_QUEUED_PER_CONNECTION && totalWaiting >= MAX_QUEUED) socket.destroy()
    if (socket.destroyed) return
    totalWaiting += 1
    queue.waiting.push({ request, response })
    socket.pause()
  }
  return { listener, running }
}

/** Requests that may wait per connection, unless fewer than `MAX_QUEUED` wait in total. */
const MAX_QUEUED_PER_CONNECTION = 32
/** About 2 KB each. */
const MAX_QUEUED = 1_000

interface Queue {
  isBusy: boolean
  readonly waiting: Exchange[]
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}
