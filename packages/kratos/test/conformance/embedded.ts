import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import type { Service } from '@ostiary/conformance'
import { createIdentity } from '@ostiary/identity'
import { createLog } from '@ostiary/identity-server/process'
import { loadConfig } from '../../src/configuration/load-config.ts'
import { kratos } from '../../src/kratos.ts'

export async function startEmbedded(dsn: string): Promise<Service> {
  // Paths in the file are relative to the project.
  process.chdir(join(import.meta.dirname, '../../../..'))
  const config = await loadConfig(['packages/conformance/kratos.yaml'])
  const [outside, inside] = [await openPort(), await openPort()]
  const serve = {
    public: { base_url: `${outside.url}/`, max_delay: '0s' },
    admin: { base_url: `${inside.url}/` },
  }
  const write = (line: string) => void process.stderr.write(line)
  const log = createLog({ level: 'error', format: 'text', write })
  // The whole suite comes from one address.
  const limits = { registration: 'off', flow: 'off', mail: 'off', code: 'off', password: 'off' } as const
  const identity = await createIdentity(
    { ...config, dsn, serve, limits },
    { defaults: 'kratos', kratos, log },
  )
  outside.app = identity.publicApp
  inside.app = identity.adminApp
  return {
    publicUrl: outside.url,
    adminUrl: inside.url,
    async stop() {
      for (const { server } of [outside, inside]) {
        server.closeAllConnections()
        server.close()
      }
      await identity.stop()
    },
  }
}

interface App {
  fetch(request: Request, bindings: unknown): Response | Promise<Response>
}

/** The service needs its base URL first. */
async function openPort(): Promise<{ server: Server; url: string; app?: App }> {
  const port: { server?: Server; url: string; app?: App } = { url: '' }
  const fetch = (request: Request, bindings: unknown) => {
    if (!port.app) throw new Error('nothing is asked before the service is there')
    return port.app.fetch(request, bindings)
  }
  const server = createAdaptorServer({ fetch }) as Server
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(port, { server })
}
