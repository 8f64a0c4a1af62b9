import { AuthProvider, type IdentityService } from '@ostiary/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRouter } from '@tanstack/react-router'
import { routeTree } from './routeTree.gen.ts'

/** `@ostiary/identity`, an Ory Kratos, or a project of Ory Network on its own domain. */
const service: IdentityService = { url: import.meta.env.VITE_IDENTITY_URL ?? 'http://localhost:3000/.ory' }

export function getRouter() {
  const cache = new QueryClient()
  return createRouter({
    routeTree,
    Wrap: ({ children }) => (
      <QueryClientProvider client={cache}>
        <AuthProvider service={service}>{children}</AuthProvider>
      </QueryClientProvider>
    ),
  })
}
