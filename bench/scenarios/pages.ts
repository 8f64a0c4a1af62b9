import { request } from 'node:http'
import type { Figure, Scenario } from '../figure.ts'
import { withProduct } from '../product.ts'

const pages = ['/', '/about', '/login', '/register', '/verify', '/dashboard']
const encodings = ['br', 'gzip', 'identity'] as const

export const weights: Scenario = {
  name: 'pages',
  measure: () =>
    withProduct(async ({ port }) => (await Promise.all(pages.map((page) => weigh(port, page)))).flat()),
}

async function weigh(port: number, page: string): Promise<Figure[]> {
  const html = (await get(port, page, 'identity')).toString()
  const files = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(
    ([, path = '']) => path,
  )
  const all = [page, ...new Set(files)]
  return await Promise.all(
    encodings.map(async (encoding) => {
      const bodies = await Promise.all(all.map((path) => get(port, path, encoding)))
      const bytes = bodies.reduce((sum, body) => sum + body.length, 0)
      return { name: `${page} in all, ${encoding}`, unit: 'kB', value: bytes / 1000 } as const
    }),
  )
}

/** As transferred. */
function get(port: number, path: string, encoding: string): Promise<Buffer> {
  // The dashboard redirects without a session.
  const headers = { 'Accept-Encoding': encoding, Host: `localhost:${port}`, Cookie: 'ory_kratos_session=any' }
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers }, async (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path} was answered with ${response.statusCode}`))
      resolve(Buffer.concat(await response.toArray()))
    })
      .once('error', reject)
      .end()
  })
}
