import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Suspense, ViewTransition } from 'react'
import { Route, Routes, useLocation } from 'react-router'
import { AuthProvider } from './auth/auth-provider.tsx'
import { ErrorBoundary } from './layout/error-boundary.tsx'
import { Layout } from './layout/layout.tsx'
import { notFound, preloadScreen, routes } from './routes.tsx'

/** Everything inside the router; the browser and the build each bring their own. */
export function App({ cache }: { cache: QueryClient }) {
  const { pathname } = useLocation()
  return (
    <QueryClientProvider client={cache}>
      <AuthProvider>
        <Layout>
          <ErrorBoundary path={pathname} load={preloadScreen}>
            <Suspense>
              {/* Only another screen fades in: while React prepares a fade, what is typed would be lost. */}
              <ViewTransition key={pathname} update="none">
                <Routes>
                  {[...routes, notFound].map(({ path, Screen }) => (
                    // As the server does, which answers 404 for /LOGIN.
                    <Route key={path} path={path} caseSensitive element={<Screen />} />
                  ))}
                </Routes>
              </ViewTransition>
            </Suspense>
          </ErrorBoundary>
        </Layout>
      </AuthProvider>
    </QueryClientProvider>
  )
}
