import { join } from 'node:path'
import { freePort } from '@ostiary/identity/testing/servers/free-port'
import { type Server, startServer } from '../child.ts'
import { makeFolder } from '../product.ts'

const file = join(import.meta.dirname, 'bare-server.ts')

/** Answers each request with `answer`, read from SQLite. */
export async function withBareServer<T>(answer: string, use: (server: Server) => Promise<T>): Promise<T> {
  await using folder = await makeFolder()
  const port = await freePort()
  const env = { PORT: `${port}`, DATA_DIR: folder.path, ANSWER: answer }
  const server = await startServer(file, env, { port, path: '/' })
  try {
    return await use(server)
  } finally {
    await server.stop()
  }
}
