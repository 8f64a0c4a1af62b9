import { renderToString } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import { createQueryClient } from './api/query-client.ts'
import { App } from './app.tsx'
import { entranceTo } from './paths.ts'
import { notFound, preloadScreen, routes } from './routes.tsx'

export interface Prerendered {
  readonly path: string
  readonly title: string
  readonly description: string
  /** Sources that the page needs besides the app. */
  readonly sources: readonly string[]
  readonly html: string
  /** Where the server redirects anonymous visitors, if it does. */
  readonly entrance: string | undefined
}

/** Renders every screen for an unknown visitor. */
export async function prerender(): Promise<Prerendered[]> {
  const prerendered: Prerendered[] = []
  for (const { path, page } of [...routes, notFound]) {
    if (!page) throw new Error(`routes.tsx has no title for ${path}`)
    await preloadScreen(path)
    const { title, description } = page
    const entrance = entranceTo(path)
    const sources = [...page.sources, ...(entrance ? forSignedIn : [])]
    prerendered.push({ path, title, description, sources, html: renderScreen(path), entrance })
  }
  return prerendered
}

/** The client that fetches the session, and the account menu. */
const forSignedIn = ['src/flow/client.ts', 'src/layout/account-menu.tsx']

function renderScreen(path: string): string {
  const cache = createQueryClient()
  const html = renderToString(
    <StaticRouter location={path === '*' ? '/404' : path}>
      <App cache={cache} />
    </StaticRouter>,
  )
  // Its timers would keep the build alive for minutes.
  cache.clear()
  return html
}
