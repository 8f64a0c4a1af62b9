import { AuthProvider } from '@ostiary/react'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import {
  type ComponentType,
  type Fragment,
  type ReactNode,
  Suspense,
  useEffect,
  useRef,
  useState,
  ViewTransition,
} from 'react'
import { Route, Routes } from 'react-router'
import { serviceOfPage } from './api/service.ts'
import { RequireSession, useAdmittedLocation, useReturnTargetFromUrl } from './auth/access.tsx'
import { useSessionMark } from './auth/visitors-only.tsx'
import { ErrorBoundary } from './layout/error-boundary.tsx'
import { ConnectionNotice } from './layout/floating-notice.tsx'
import { type ProductFacts, setProduct } from './product.ts'
import { frameOf, type PageRoute, preloadPage, setPages, useIsLoading } from './routes.ts'
import { overrideTexts, type TextOverrides } from './texts/catalogue.ts'
import { layoutTexts } from './texts/layout.ts'
import { INTENTS, listen } from './ui/browser.ts'
import { SkipLink, useFocusOnNewScreen } from './ui/page.tsx'
import { type Components, setComponents } from './ui/slot.tsx'

export interface AppDefinition<Config extends ProductFacts = ProductFacts> {
  readonly config: Config
  readonly routes: readonly PageRoute[]
  /** For any other address. */
  readonly NotFound: ComponentType
  /** Sentences of forms and account pages that the product says in other words. */
  readonly texts?: TextOverrides
  /** Buttons, cards, fields and frames that the product renders in another way. */
  readonly components?: Components
  /** Surrounds each page: `children` is its `<main>`. */
  readonly Layout: ComponentType<{ children: ReactNode }>
}

/**
 * The app in the browser, which `startApp` renders and the build prerenders.
 *
 * @example export const app = defineApp({ config, routes, Layout, NotFound })
 */
export function defineApp<Config extends ProductFacts>(app: AppDefinition<Config>): AppDefinition<Config> {
  setProduct(app.config)
  overrideTexts(app.texts ?? {})
  setComponents(app.components ?? {})
  setPages(app.routes)
  return app
}

interface AppProps {
  app: AppDefinition
  cache: QueryClient
  /** Around each page. */
  Boundary?: typeof Suspense | typeof Fragment | undefined
}

export function App({ app, cache, Boundary = Suspense }: AppProps) {
  const [service] = useState(serviceOfPage)
  return (
    <QueryClientProvider client={cache}>
      <AuthProvider service={service}>
        <AppShell {...app} Boundary={Boundary} />
      </AuthProvider>
    </QueryClientProvider>
  )
}

interface ShellProps extends AppDefinition {
  Boundary: NonNullable<AppProps['Boundary']>
}

function AppShell({ Layout, ...app }: ShellProps) {
  const main = useRef<HTMLElement>(null)
  useFocusOnNewScreen(main)
  useEffect(() => listen(INTENTS, preloadLink), [])
  useReturnTargetFromUrl()
  useSessionMark()
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <Progress />
      <Layout>
        <main id="main" ref={main} tabIndex={-1} className="flex grow flex-col">
          <Screens {...app} />
        </main>
      </Layout>
      <ConnectionNotice />
    </div>
  )
}

/** A link that is pointed at. Opening its screen tries again. */
function preloadLink({ target }: Event): void {
  const link = target instanceof Element ? target.closest('a') : null
  if (link?.origin === location.origin) void preloadPage(link.pathname).catch(() => {})
}

function Screens({ routes, NotFound, Boundary }: Omit<ShellProps, 'Layout'>) {
  const location = useAdmittedLocation()
  const { pathname } = location
  return (
    <ErrorBoundary path={pathname} load={preloadPage} Frame={frameOf(pathname)}>
      <Boundary>
        {/* Only another screen fades in. Preparing a fade would discard what is typed. */}
        <ViewTransition key={pathname} update="none">
          <Routes location={location}>
            {[...routes, { path: '*', Screen: NotFound }].map(({ path, Screen }) => (
              // The server also answers 404 for /LOGIN.
              <Route
                key={path}
                path={path}
                caseSensitive
                element={<RequireSession path={path} Screen={Screen} />}
              />
            ))}
          </Routes>
        </ViewTransition>
      </Boundary>
    </ErrorBoundary>
  )
}

function Progress() {
  return useIsLoading() ? (
    <div
      role="progressbar"
      aria-label={layoutTexts.loading}
      className="fixed inset-x-0 top-0 z-20 h-0.5 animate-progress bg-accent"
    />
  ) : null
}
