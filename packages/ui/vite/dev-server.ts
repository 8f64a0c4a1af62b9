import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import { admin, demo, demoPages, extension, identity, library, panelSource, react } from './entries.ts'

export { panelSource }

export interface DevMiddleware {
  /** Connect style: answers Vite's own requests, unless from another site, and passes on all others. */
  middleware(request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): void
  /** Serves the web socket of the pages on a server, so that several products can be developed at once. */
  attach(server: Server): void
  /** The page for a URL, with Vite's client; the server replaces the settings placeholder. */
  transformPage(url: string): Promise<string>
  /** Where anonymous visitors of a page are redirected; undefined if the page is for everyone. */
  loginPathFor(path: string): Promise<string | undefined>
  close(): Promise<void>
}

/**
 * Vite behind the server's own origin, for `npm run dev`.
 *
 * @param root of the product. By default Vite sends every file of it, also the database.
 */
export async function createDevMiddleware(root: string): Promise<DevMiddleware> {
  const web = join(root, 'app/web')
  const shared = SHARED.map((path) => join(root, path))
  const upgrades = createHttpServer()
  const vite = await createServer({
    configFile: join(web, 'vite.config.ts'),
    appType: 'custom',
    logLevel: 'warn',
    server: {
      middlewareMode: true,
      ws: { server: upgrades },
      fs: { allow: [...sourcesOf(web), ...shared, join(root, 'node_modules'), installed()] },
      // They restart the server, and then Vite's client reloads. Vite itself would reload meanwhile.
      watch: { ignored: (path) => shared.includes(resolve(path)) },
    },
  })
  vite.watcher.on('add', (path) => {
    if (dirname(path) === web && isSource(path)) vite.config.server.fs.allow.push(path)
  })
  return {
    middleware: (request, response, next) =>
      isForeign(request) ? next() : vite.middlewares(request, response, next),
    attach: (server) => {
      // Java's client offers HTTP/2 with each request, which is then an ordinary one.
      const isOfVite = ({ headers }: IncomingMessage) =>
        /^vite-/.test(headers['sec-websocket-protocol'] ?? '')
      Object.assign(server, { shouldUpgradeCallback: isOfVite } satisfies ServerOptions)
      server.on('upgrade', (...upgrade) => upgrades.emit('upgrade', ...upgrade))
    },
    transformPage: async (url) =>
      await vite.transformIndexHtml(url, await readFile(pageFile(web, url), 'utf8')),
    loginPathFor: async (path) => {
      // Defines the routes.
      await vite.ssrLoadModule('/app.tsx')
      const { loginPathFor } = (await vite.ssrLoadModule(join(library, `routes${extension()}`))) as Routes
      return loginPathFor(path)
    },
    close: () => vite.close(),
  }
}

/** Vite opens files in the editor (SEC-129). Pages, which other sites may link, are not its own requests. */
function isForeign({ headers }: IncomingMessage): boolean {
  return ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']))
}

/** Files that pages and server import. */
const SHARED = ['app.config.ts', 'app/texts.ts', 'app/schemas.ts']

/** The folder of installed packages, also if a workspace around the product has it. */
function installed(): string {
  return fileURLToPath(import.meta.resolve('react')).replace(/(?<=[/\\]node_modules)[/\\].*/, '')
}

/** Not the whole folders: a database may be next to the sources. */
function sourcesOf(web: string): string[] {
  const names = readdirSync(web, { withFileTypes: true })
    .filter((entry) => (entry.isDirectory() ? entry.name !== 'dist' : isSource(entry.name)))
    .map(({ name }) => join(web, name))
  return [...names, library, ...[admin, demo, identity, react].map((folder) => join(folder, 'src'))]
}

const isSource = (path: string) =>
  /\.(tsx?|css|html|svg|png|jpe?g|gif|webp|avif|ico|woff2?|ttf|otf|mp[34]|webm)$/.test(path)

type Routes = typeof import('../src/routes.ts')

function pageFile(web: string, url: string): string {
  const { pathname } = new URL(url, 'http://localhost')
  if (/^\/ui(\/|$)/.test(pathname)) return join(admin, 'admin.html')
  const page = demoPages[pathname]
  return page ? join(demo, page) : join(web, 'index.html')
}
