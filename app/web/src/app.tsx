import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Suspense, ViewTransition } from 'react'
import { Route, Routes } from 'react-router'
import { RequireSession, useAdmittedLocation } from './auth/access.tsx'
import { AuthProvider } from './auth/auth-provider.tsx'
import { ErrorBoundary } from './layout/error-boundary.tsx'
import { Layout } from './layout/layout.tsx'
import { notFound, preloadScreen, routes } from './routes.tsx'

export function App({ cache }: { cache: QueryClient }) {
  return (
    <QueryClientProvider client={cache}>
      <AuthProvider>
        <Layout>
          <Screens />
        </Layout>
      </AuthProvider>
    </QueryClientProvider>
  )
}

function Screens() {
  const location = useAdmittedLocation()
  const { pathname } = location
  return (
    <ErrorBoundary path={pathname} load={preloadScreen}>
      <Suspense>
        {/* Only another screen fades in. Preparing a fade would discard what is typed. */}
        <ViewTransition key={pathname} update="none">
          <Routes location={location}>
            {[...routes, notFound].map(({ path, Screen }) => (
              // The server also answers 404 for /LOGIN.
              <Route
                key={path}
                path={path}
                caseSensitive
                element={
                  <RequireSession path={path}>
                    <Screen />
                  </RequireSession>
                }
              />
            ))}
          </Routes>
        </ViewTransition>
      </Suspense>
    </ErrorBoundary>
  )
}
