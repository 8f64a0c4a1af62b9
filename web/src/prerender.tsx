import { renderToString } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import { App } from './app.tsx'
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
  const pages: Prerendered[] = []
  for (const { path, title, description, source, needsSession } of [...routes, notFound]) {
    await preloadScreen(path)
    const sources = [...(source ? [source] : []), ...(needsSession ? ['src/flow/client.ts'] : [])]
    pages.push({ path, title, description, sources, html: renderScreen(path) })
  }
  return pages
}

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
