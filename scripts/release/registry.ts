import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

interface Manifest {
  readonly version: string
  readonly dist: { readonly integrity: string; readonly tarball: string }
}

/** A package as npm publishes and reads it. */
interface Packument {
  readonly name: string
  readonly 'dist-tags': Readonly<Record<string, string>>
  readonly versions: Readonly<Record<string, Manifest>>
}

interface Publication extends Packument {
  readonly _attachments: Readonly<Record<string, { readonly data: string }>>
}

interface Reply {
  readonly status: number
  readonly body: object | Buffer
}

/** A registry in memory for what `npm publish` sends to it. A scope sends npm here for its packages only. */
export async function startRegistry(token: string): Promise<{ url: string; stop(): void }> {
  const packages = new Map<string, Packument>()
  const tarballs = new Map<string, Buffer>()

  const publish = async (request: IncomingMessage): Promise<Reply> => {
    if (request.headers.authorization !== `Bearer ${token}`) return refusal(401, 'Log in to publish.')
    const { _attachments, ...published } = (await json(request)) as Publication
    const knownPackage = packages.get(published.name)
    const [manifest, attachment] = [Object.values(published.versions)[0], Object.values(_attachments)[0]]
    if (!manifest || !attachment) return refusal(400, 'A version or its tarball is missing.')
    if (knownPackage?.versions[manifest.version])
      return refusal(403, `${manifest.version} is published already.`)
    const tarball = Buffer.from(attachment.data, 'base64')
    if (manifest.dist.integrity !== `sha512-${createHash('sha512').update(tarball).digest('base64')}`)
      return refusal(400, 'The tarball has another hash.')
    tarballs.set(new URL(manifest.dist.tarball).pathname, tarball)
    packages.set(published.name, {
      ...published,
      'dist-tags': { ...knownPackage?.['dist-tags'], ...published['dist-tags'] },
      versions: { ...knownPackage?.versions, ...published.versions },
    })
    return { status: 201, body: {} }
  }

  const readReply = (path: string): Reply => {
    const body = tarballs.get(path) ?? packages.get(decodeURIComponent(path).slice(1))
    return body ? { status: 200, body } : refusal(404, 'No such package.')
  }

  const server = createServer(async (request, response) => {
    const { status, body } = request.method === 'PUT' ? await publish(request) : readReply(request.url ?? '')
    response.statusCode = status
    if (body instanceof Buffer) return response.end(body)
    response.setHeader('Content-Type', 'application/json')
    return response.end(JSON.stringify(body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}/`, stop }
}

function refusal(status: number, error: string): Reply {
  return { status, body: { error } }
}
