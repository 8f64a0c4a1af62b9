import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { createServer } from 'vite'
import { entranceTo } from '../src/paths.ts'

const web = join(import.meta.dirname, '..')
const root = join(web, '../..')

const SOURCES = [
  'app.config.ts',
  'packages/server/src',
  'app/web/node_modules',
  'app/web/src',
  'node_modules',
  'packages/identity/src',
]

/** The pages of demo mode by their paths: each has its own entry in the build. */
export const demoPages: Readonly<Record<string, string>> = {
  '/demo': 'demo-pages.html',
  '/demo/inbox': 'demo-pages.html',
  '/demo/emails': 'demo-pages.html',
  '/demo/consent': 'demo-provider.html',
}

/** The demo panel's script: a separate entry, which the server adds to pages in demo mode. */
export const panelSource = '/src/demo-panel/main.tsx'

export interface DevMiddleware {
  /** Connect style: answers Vite's own requests and passes on all others. */
  middleware(request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void): void
  /** The page for a URL, with Vite's client; the server replaces the settings placeholder. */
  transformPage(url: string): Promise<string>
  /** Where anonymous visitors of a page are redirected; undefined if the page is for everyone. */
  entranceTo(path: string): string | undefined
  close(): Promise<void>
}

/** Vite behind the server's own origin, for `npm run dev`. */
export async function createDevMiddleware(): Promise<DevMiddleware> {
  const vite = await createServer({
    configFile: join(web, 'vite.config.ts'),
    appType: 'custom',
    logLevel: 'warn',
    server: {
      middlewareMode: true,
      // By default Vite sends every file of the project, also the database.
      fs: { allow: SOURCES.map((name) => join(root, name)) },
    },
  })
  return {
    middleware: vite.middlewares,
    transformPage: async (url) => {
      const { pathname } = new URL(url, 'http://localhost')
      const page = /^\/ui(\/|$)/.test(pathname) ? 'admin.html' : (demoPages[pathname] ?? 'index.html')
      return await vite.transformIndexHtml(url, await readFile(join(web, page), 'utf8'))
    },
    entranceTo,
    close: () => vite.close(),
  }
}
