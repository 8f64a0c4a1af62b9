import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import { admin, demo, demoPages, extension, identity, library, panelSource, react } from './entries.ts'

export { panelSource }

export interface DevMiddleware {
  /** Connect style: answers Vite's own requests and passes on all others. */
  middleware(request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): void
  /** The page for a URL, with Vite's client; the server replaces the settings placeholder. */
  transformPage(url: string): Promise<string>
  /** Where anonymous visitors of a page are redirected; undefined if the page is for everyone. */
  entranceTo(path: string): Promise<string | undefined>
  close(): Promise<void>
}

/**
 * Vite behind the server's own origin, for `npm run dev`.
 *
 * @param root of the product. By default Vite sends every file of it, also the database.
 */
export async function createDevMiddleware(root: string): Promise<DevMiddleware> {
  const web = join(root, 'app/web')
  const vite = await createServer({
    configFile: join(web, 'vite.config.ts'),
    appType: 'custom',
    logLevel: 'warn',
    server: {
      middlewareMode: true,
      fs: { allow: [...sourcesOf(web), ...shared.map((path) => join(root, path)), installed()] },
    },
  })
  return {
    middleware: vite.middlewares,
    transformPage: async (url) =>
      await vite.transformIndexHtml(url, await readFile(pageFile(web, url), 'utf8')),
    entranceTo: async (path) => {
      // Defines the routes.
      await vite.ssrLoadModule('/app.tsx')
      const { entranceTo } = (await vite.ssrLoadModule(join(library, `routes${extension()}`))) as Routes
      return entranceTo(path)
    },
    close: () => vite.close(),
  }
}

/** Files that the pages import besides packages. */
const shared = ['app.config.ts', 'app/texts.ts', 'node_modules']

/** The folder of installed packages, also if a workspace around the product has it. */
function installed(): string {
  return fileURLToPath(import.meta.resolve('react')).replace(/(?<=[/\\]node_modules)[/\\].*/, '')
}

/** Not the whole folders: a database may be next to the sources. */
function sourcesOf(web: string): string[] {
  const names = readdirSync(web, { withFileTypes: true })
    .filter((entry) =>
      entry.isDirectory() ? entry.name !== 'dist' : /\.(tsx?|css|svg|html)$/.test(entry.name),
    )
    .map(({ name }) => join(web, name))
  return [...names, library, ...[admin, demo, identity, react].map((folder) => join(folder, 'src'))]
}

type Routes = typeof import('../src/routes.ts')

function pageFile(web: string, url: string): string {
  const { pathname } = new URL(url, 'http://localhost')
  if (/^\/ui(\/|$)/.test(pathname)) return join(admin, 'admin.html')
  const page = demoPages[pathname]
  return page ? join(demo, page) : join(web, 'index.html')
}
