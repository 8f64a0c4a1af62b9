import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '@my-app/identity/testing/servers/free-port'
import type { Server } from '../child.ts'
import { startServer } from '../child.ts'
import { makeFolder } from '../product.ts'

const file = join(import.meta.dirname, 'bare-server.ts')

/** `answer` from SQLite, or from the PostgreSQL named in `settings`. */
export async function withBareServer<T>(
  answer: string,
  use: (server: Server) => Promise<T>,
  settings: Record<string, string> = {},
): Promise<T> {
  const folder = await makeFolder()
  const port = await freePort()
  const env = { PORT: `${port}`, DATA_DIR: folder, ANSWER: answer, ...settings }
  const server = await startServer(file, env, { port, path: '/' })
  try {
    return await use(server)
  } finally {
    await server.stop()
    await rm(folder, { recursive: true })
  }
}
