import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Suspense, ViewTransition } from 'react'
import { Route, Routes } from 'react-router'
import { AuthProvider } from './auth/auth-provider.tsx'
import { ErrorBoundary } from './layout/error-boundary.tsx'
import { Layout } from './layout/layout.tsx'
import { notFound, routes } from './routes.tsx'

/** Everything inside the router; the browser and the build each bring their own. */
export function App({ cache }: { cache: QueryClient }) {
  return (
    <QueryClientProvider client={cache}>
      <AuthProvider>
        <Layout>
          <ErrorBoundary>
            <Suspense>
              <ViewTransition>
                <Routes>
                  {[...routes, notFound].map(({ path, Screen }) => (
                    <Route key={path} path={path} element={<Screen />} />
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
