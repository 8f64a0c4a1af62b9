import { renderToString } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import { App } from './app.tsx'
import { pages } from './pages.ts'
import { createQueryClient } from './query-client.ts'
import { notFound, preloadScreen, routes } from './routes.tsx'

export interface Prerendered {
  readonly path: string
  readonly title: string
  readonly description: string
  /** What the page needs beyond the app itself. */
  readonly sources: readonly string[]
  readonly html: string
}

/** Every screen as it looks before anything is known about the visitor. */
export async function prerender(): Promise<Prerendered[]> {
  const prerendered: Prerendered[] = []
  for (const { path } of [...routes, notFound]) {
    const page = pages[path]
    if (!page) throw new Error(`pages.ts has no title for ${path}`)
    await preloadScreen(path)
    const { title, description, source, needsSession } = page
    const sources = [...(source ? [source] : []), ...(needsSession ? forTheSignedIn : [])]
    prerendered.push({ path, title, description, sources, html: renderScreen(path) })
  }
  return prerendered
}

/** The client that asks for the session, and what the bar shows to who has one. */
const forTheSignedIn = ['src/flow/client.ts', 'src/layout/account-menu.tsx']

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
