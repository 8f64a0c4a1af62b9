import { Fragment } from 'react'
import { renderToString } from 'react-dom/server'
import { matchPath, StaticRouter } from 'react-router'
import { createQueryClient } from './api/query-client.ts'
import { App, type AppDefinition } from './app.tsx'
import * as paths from './paths.ts'
import { type ProductFacts, pageAfterLogin } from './product.ts'
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
  readonly loginPath: string | undefined
}

export interface PrerenderedConfig extends ProductFacts {
  readonly navigation: readonly { readonly to: string; readonly label: string }[]
  readonly legal?: readonly { readonly to: string }[]
  /** For search engines, by path. */
  readonly descriptions?: Readonly<Record<string, string>>
}

/**
 * Every page of the app, and one for any other address. Throws if the configuration or a source names an unknown page.
 *
 * @param sources texts of the app's modules, by path
 */
export async function prerender(
  app: AppDefinition<PrerenderedConfig>,
  sources: Sources = {},
): Promise<Prerendered[]> {
  const { config, routes } = app
  checkPaths(
    routes.map(({ path }) => path),
    [...linksOf(config), ...linksIn(sources)],
  )
  const prerendered: Prerendered[] = []
  // The server takes the first that matches.
  const ordered = routes.toSorted((a, b) => countParameters(a) - countParameters(b))
  for (const { path, loginPath, imports } of [...ordered, NOT_FOUND]) {
    await preloadPage(path)
    const description = config.descriptions?.[path] ?? config.description
    prerendered.push({ path, description, imports, loginPath, ...renderScreen(app, path) })
  }
  return prerendered
}

const NOT_FOUND: Pick<PageRoute, 'path' | 'loginPath' | 'imports'> = {
  path: '*',
  loginPath: undefined,
  imports: [],
}

type Sources = Readonly<Record<string, string>>

interface PageLink {
  readonly path: string
  readonly from: string
}

/** The identity service redirects to them. A product without registration needs no form for it. */
const NEEDED = [paths.login, paths.verify, paths.recovery, '/error']

function linksOf({ navigation, legal = [], ...config }: PrerenderedConfig): PageLink[] {
  // Documents have an extension.
  const pages = legal.filter(({ to }) => /^\/[^.]*$/.test(to))
  return [
    ...NEEDED.map((path) => ({ path, from: '@ostiary/server' })),
    { path: pageAfterLogin(config), from: 'afterLogin in app.config.ts, by default /dashboard,' },
    ...navigation.map(({ to }) => ({ path: to, from: 'navigation in app.config.ts' })),
    ...pages.map(({ to }) => ({ path: to, from: 'legal in app.config.ts' })),
  ]
}

const LITERAL =
  /(?:<(?:Link|NavLink|ButtonLink|FormLink)\s[^<]*?\bto=|\busePathParameters\()["'](\/[^"'?#]*)/g

export function linksIn(sources: Sources): PageLink[] {
  return Object.entries(sources).flatMap(([file, text]) =>
    [...text.matchAll(LITERAL)].map(([, path = '']) => ({ path, from: `app/web${file}` })),
  )
}

export function checkPaths(knownPaths: readonly string[], links: readonly PageLink[]): void {
  const invalid = knownPaths.find((path) => !/^(\/(:\w+|[^/:*?]*))+$/.test(path))
  const twice = knownPaths.find((path, index) => knownPaths.indexOf(path) < index)
  if (twice) throw new Error(`app/web/routes.tsx has two pages ${twice}. Remove one.`)
  if (invalid)
    throw new Error(
      `${invalid} in app/web/routes.tsx cannot be served. A parameter is a whole segment, such as /links/:id.`,
    )
  const unknown = links.find(
    ({ path: to }) => !knownPaths.some((path) => matchPath({ path, caseSensitive: true }, to)),
  )
  if (unknown)
    throw new Error(
      `${unknown.from} names ${unknown.path}. Correct it, or add the page to app/web/routes.tsx.`,
    )
}

function renderScreen(app: AppDefinition<PrerenderedConfig>, path: string) {
  const cache = createQueryClient()
  // A page that needs a session and has no frame is named by its link.
  let title = titleOf(app.config.navigation.find(({ to }) => to === path)?.label)
  const render = (Boundary?: typeof Fragment) =>
    renderToString(
      <RenderedTitle value={(rendered) => (title = rendered)}>
        <StaticRouter location={path === '*' ? '/404' : path}>
          <App app={app} cache={cache} Boundary={Boundary} />
        </StaticRouter>
      </RenderedTitle>,
    )
  const html = render()
  if (html.includes(FAILED)) warnOfError(path, () => render(Fragment))
  // Its timers would keep the build alive for minutes.
  cache.clear()
  return { title, html }
}

/** Written in place of what throws inside `Suspense`, without the error. Browsers try again. */
const FAILED = '<!--$!-->'

function warnOfError(path: string, render: () => string): void {
  try {
    render()
  } catch (error) {
    console.warn(
      `${path} is empty until its scripts have loaded, because the build cannot render it: ${error}`,
    )
  }
}
