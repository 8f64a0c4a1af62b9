import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Answers the requests of one connection one after the other. Node hands over every request that a packet holds at
 * once: 64 KB of pipelined requests would start 1,600 responses, and their memory, for a client that reads none of them.
 */
export function oneAtATime(listener: RequestListener): RequestListener {
  const queues = new WeakMap<Socket, Pending[]>()
  const begin = (request: IncomingMessage, response: ServerResponse) => {
    // Emitted once the socket has taken the response, or is gone.
    response.on('close', () => next(request.socket))
    listener(request, response)
  }
  const next = (socket: Socket) => {
    const queue = queues.get(socket)
    if (!queue || socket.destroyed) return
    const pending = queue.shift()
    if (pending) return begin(pending.request, pending.response)
    queues.delete(socket)
    socket.resume()
  }
  return (request, response) => {
    const { socket } = request
    const queue = queues.get(socket)
    if (!queue) {
      queues.set(socket, [])
      return begin(request, response)
    }
    queue.push({ request, response })
    socket.pause()
  }
}

interface Pending {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}
