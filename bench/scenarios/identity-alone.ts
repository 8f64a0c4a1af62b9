import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '@my-app/identity/testing/servers/free-port'
import { startServer } from '../child.ts'
import { measureLookUps } from '../compare-with-limit.ts'
import type { Scenario } from '../figure.ts'
import { median } from '../load.ts'
import { highestDuring, residentMegabytes } from '../memory.ts'
import type { Product } from '../product.ts'
import { makeFolder } from '../product.ts'

const main = join(import.meta.dirname, '../../app/server/dist/identity.mjs')
const STARTS = 5

/** The counterpart of Ory Kratos. */
export const identityAlone: Scenario = {
  name: 'identity-alone',
  async measure() {
    const folder = await makeFolder()
    try {
      const started: number[] = []
      for (let n = 0; n < STARTS; n += 1) {
        const service = await start(folder)
        started.push(service.started_in)
        await service.stop()
      }
      const service = await start(folder)
      try {
        await delay(5_000)
        const idle = residentMegabytes(service.pid)
        const { peak, result } = await highestDuring(service.pid, () =>
          measureLookUps(service, { rounds: 5, prefix: '' }),
        )
        const { value, limit } = result
        return [
          { name: 'identity alone: whoami', unit: '1/s', value, limit, goal: { share: 0.5 }, kratos: '740' },
          { name: 'identity alone: start', unit: 'ms', value: median(started), goal: { at_most: 300 } },
          { name: 'identity alone: memory, idle', unit: 'MB', value: idle, goal: { at_most: 90 } },
          { name: 'identity alone: memory, look-ups', unit: 'MB', value: peak, goal: { at_most: 180 } },
        ]
      } finally {
        await service.stop()
      }
    } finally {
      await rm(folder, { recursive: true })
    }
  },
}

async function start(folder: string): Promise<Product> {
  const [port, admin_port] = [await freePort(), await freePort()]
  const file = join(folder, 'identity.json')
  await writeFile(file, JSON.stringify(configuration({ port, admin_port, folder })))
  const server = await startServer(main, {}, { port, path: '/health/ready' }, { args: ['--config', file] })
  return { ...server, admin_port }
}

function configuration({ port, admin_port, folder }: { port: number; admin_port: number; folder: string }) {
  const email = {
    type: 'string',
    format: 'email',
    'ory.sh/kratos': { credentials: { password: { identifier: true } }, verification: { via: 'email' } },
  }
  const traits = { type: 'object', properties: { email }, required: ['email'] }
  const schema = { type: 'object', properties: { traits } }
  return {
    dsn: `sqlite://${join(folder, 'identity.sqlite')}`,
    serve: {
      public: { host: '127.0.0.1', port, base_url: `http://127.0.0.1:${port}/` },
      admin: { host: '127.0.0.1', port: admin_port },
    },
    secrets: { default: ['a secret of the benchmark, 32 characters'] },
    identity: {
      default_schema_id: 'person',
      schemas: [{ id: 'person', url: `base64://${Buffer.from(JSON.stringify(schema)).toString('base64')}` }],
    },
    selfservice: { default_browser_return_url: `http://127.0.0.1:${port}/` },
    courier: { smtp: { connection_uri: 'smtp://127.0.0.1:25/' } },
  }
}
