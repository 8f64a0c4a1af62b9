import { renderToString } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import * as product from '../../../app.config.ts'
import { createQueryClient } from './api/query-client.ts'
import { App } from './app.tsx'
import { accountPages } from './features/account-area/account-area.tsx'
import * as paths from './paths.ts'
import { notFound, preloadScreen, routes, type ScreenRoute } from './routes.tsx'
import { RenderedTitle, titleOf } from './ui/page.tsx'

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

const descriptions: Readonly<Record<string, string>> = {
  [paths.about]: `What ${product.name} is: a small web app with accounts and a protected dashboard.`,
  [paths.login]: `Log in to ${product.name} with your email address and password.`,
  [paths.register]: `Create your ${product.name} account with an email address and a password.`,
}

/** Of pages that the build cannot render, because they need a session. */
const names = new Map([
  ...product.navigation.map(({ to, label }) => [to, label] as const),
  ...accountPages.map(({ to, name }) => [to, name] as const),
])

export async function prerender(): Promise<Prerendered[]> {
  checkPaths(
    routes.map(({ path }) => path),
    product,
  )
  const prerendered: Prerendered[] = []
  // The server takes the first that matches. As in the browser, a fixed segment precedes a parameter.
  const ordered = [...routes, notFound].toSorted((a, b) => countParameters(a) - countParameters(b))
  for (const { path, sources } of ordered) {
    await preloadScreen(path)
    const entrance = paths.entranceTo(path)
    prerendered.push({
      path,
      description: descriptions[path] ?? product.description,
      sources: entrance ? [...sources, ...forSignedIn] : sources,
      entrance,
      ...renderScreen(path),
    })
  }
  return prerendered
}

function countParameters({ path }: ScreenRoute): number {
  return path.split(':').length - 1
}

type NamedPages = Pick<typeof product, 'navigation' | 'privatePages'>

/** A misspelled private page would be public. */
export function checkPaths(known: readonly string[], { navigation, privatePages }: NamedPages): void {
  const invalid = known.find((path) => !/^(\/(:\w+|[^/:*?]*))+$/.test(path))
  if (invalid)
    throw new Error(
      `${invalid} in app/web/src/routes.tsx cannot be served. A parameter is a whole segment, such as /links/:id.`,
    )
  const named = { privatePages, navigation: navigation.map(({ to }) => to) }
  for (const [list, paths] of Object.entries(named)) {
    const unknown = paths.find((path) => !known.includes(path))
    if (unknown !== undefined)
      throw new Error(
        `${list} in app.config.ts names ${unknown}. Correct it, or add the page to app/web/src/routes.tsx.`,
      )
  }
}

/** The client that fetches the session, and the account menu. */
const forSignedIn = ['src/flow/client.ts', 'src/layout/account-menu.tsx']

function renderScreen(path: string): Pick<Prerendered, 'title' | 'html'> {
  const cache = createQueryClient()
  let title = titleOf(names.get(path))
  const html = renderToString(
    <RenderedTitle value={(rendered) => (title = rendered)}>
      <StaticRouter location={path === '*' ? '/404' : path}>
        <App cache={cache} />
      </StaticRouter>
    </RenderedTitle>,
  )
  // Its timers would keep the build alive for minutes.
  cache.clear()
  return { title, html }
}
