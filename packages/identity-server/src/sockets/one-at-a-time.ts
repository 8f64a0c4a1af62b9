import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface OneAtATime {
  readonly listener: RequestListener
  /** The responses under way and when each began, in that order. */
  readonly running: ReadonlyMap<ServerResponse, number>
}

/**
 * Answers the requests of one connection one after the other. Node hands over every request that a packet holds at
 * once: 64 KB of pipelined requests would start 1,600 responses, and their memory, for a client that reads none of them.
 */
export function oneAtATime(answer: RequestListener): OneAtATime {
  const queues = new WeakMap<Socket, Queue>()
  const running = new Map<ServerResponse, number>()
  let waitingInAll = 0
  const begin = (queue: Queue, { request, response }: Exchange) => {
    running.set(response, performance.now())
    // Emitted once the socket has taken the response, or is gone.
    response.on('close', () => {
      running.delete(response)
      next(queue, request.socket)
    })
    answer(request, response)
  }
  const next = (queue: Queue, socket: Socket) => {
    if (socket.destroyed) return
    const waiting = queue.waiting.shift()
    if (waiting) {
      waitingInAll -= 1
      return begin(queue, waiting)
    }
    queue.isBusy = false
    if (socket.isPaused()) socket.resume()
  }
  const queueOf = (socket: Socket): Queue => {
    const known = queues.get(socket)
    if (known) return known
    const queue: Queue = { isBusy: false, waiting: [] }
    queues.set(socket, queue)
    socket.once('close', () => {
      waitingInAll -= queue.waiting.splice(0).length
    })
    return queue
  }
  const listener: RequestListener = (request, response) => {
    const { socket } = request
    const queue = queueOf(socket)
    if (!queue.isBusy) {
      queue.isBusy = true
      return begin(queue, { request, response })
    }
    // A packet can hold thousands of them.
    if (queue.waiting.length >= FEW && waitingInAll >= MANY) socket.destroy()
    if (socket.destroyed) return
    waitingInAll += 1
    queue.waiting.push({ request, response })
    socket.pause()
  }
  return { listener, running }
}

/** So many requests of each connection may wait; more of one only while there are fewer than `MANY` of all. */
const FEW = 32
/** Some 2 KB each. */
const MANY = 1_000

/** Of one connection. */
interface Queue {
  isBusy: boolean
  readonly waiting: Exchange[]
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}
