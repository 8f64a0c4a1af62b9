import { renderToString } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import { createQueryClient } from './api/query-client.ts'
import { App, type AppDefinition } from './app.tsx'
import type { Product } from './product.ts'
import { countParameters, type PageRoute, preloadPage } from './routes.ts'
import { RenderedTitle, titleOf } from './ui/page.tsx'

export interface Prerendered {
  readonly path: string
  readonly title: string
  readonly description: string
  /** The dynamic imports that the page needs besides the app. */
  readonly imports: readonly (() => Promise<unknown>)[]
  readonly html: string
  /** Where the server redirects anonymous visitors, if it does. */
  readonly entrance: string | undefined
}

export interface PrerenderedConfig extends Product {
  readonly navigation: readonly { readonly to: string; readonly label: string }[]
  /** For search engines, by path. */
  readonly descriptions?: Readonly<Record<string, string>>
}

/** Every page of the app, and one for any other address. Throws if the navigation names an unknown page. */
export async function prerender(app: AppDefinition<PrerenderedConfig>): Promise<Prerendered[]> {
  const { config, routes } = app
  checkPaths(
    routes.map(({ path }) => path),
    config.navigation.map(({ to }) => to),
  )
  const prerendered: Prerendered[] = []
  // The server takes the first that matches.
  const ordered = routes.toSorted((a, b) => countParameters(a) - countParameters(b))
  for (const { path, entrance, imports } of [...ordered, NOT_FOUND]) {
    await preloadPage(path)
    const description = config.descriptions?.[path] ?? config.description
    prerendered.push({ path, description, imports, entrance, ...renderScreen(app, path) })
  }
  return prerendered
}

const NOT_FOUND: Pick<PageRoute, 'path' | 'entrance' | 'imports'> = {
  path: '*',
  entrance: undefined,
  imports: [],
}

export function checkPaths(knownPaths: readonly string[], linked: readonly string[]): void {
  const invalid = knownPaths.find((path) => !/^(\/(:\w+|[^/:*?]*))+$/.test(path))
  if (invalid)
    throw new Error(
      `${invalid} in app/web/routes.tsx cannot be served. A parameter is a whole segment, such as /links/:id.`,
    )
  const unknown = linked.find((path) => !knownPaths.includes(path))
  if (unknown !== undefined)
    throw new Error(
      `navigation in app.config.ts names ${unknown}. Correct it, or add the page to app/web/routes.tsx.`,
    )
}

function renderScreen(
  app: AppDefinition<PrerenderedConfig>,
  path: string,
): Pick<Prerendered, 'title' | 'html'> {
  const cache = createQueryClient()
  // A page that needs a session and has no frame is named by its link.
  let title = titleOf(app.config.navigation.find(({ to }) => to === path)?.label)
  const html = renderToString(
    <RenderedTitle value={(rendered) => (title = rendered)}>
      <StaticRouter location={path === '*' ? '/404' : path}>
        <App app={app} cache={cache} />
      </StaticRouter>
    </RenderedTitle>,
  )
  // Its timers would keep the build alive for minutes.
  cache.clear()
  return { title, html }
}
