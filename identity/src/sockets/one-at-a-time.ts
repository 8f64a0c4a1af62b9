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
  const queues = new WeakMap<Socket, Pending[]>()
  const running = new Map<ServerResponse, number>()
  const begin = (request: IncomingMessage, response: ServerResponse) => {
    running.set(response, performance.now())
    // Emitted once the socket has taken the response, or is gone.
    response.on('close', () => {
      running.delete(response)
      next(request.socket)
    })
    answer(request, response)
  }
  const next = (socket: Socket) => {
    const queue = queues.get(socket)
    if (!queue || socket.destroyed) return
    const pending = queue.shift()
    if (pending) return begin(pending.request, pending.response)
    queues.delete(socket)
    if (socket.isPaused()) socket.resume()
  }
  const listener: RequestListener = (request, response) => {
    const { socket } = request
    const queue = queues.get(socket)
    if (!queue) {
      queues.set(socket, [])
      return begin(request, response)
    }
    queue.push({ request, response })
    socket.pause()
  }
  return { listener, running }
}

interface Pending {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}
