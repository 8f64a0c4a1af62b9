'use client'

import { AuthProvider, type IdentityService } from '@ostiary/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'

/** `@ostiary/identity`, an Ory Kratos, or a project of Ory Network on its own domain. */
const service: IdentityService = {
  url: process.env.NEXT_PUBLIC_IDENTITY_URL ?? 'http://localhost:3000/.ory',
}

export function Providers({ children }: { children: ReactNode }) {
  const [cache] = useState(() => new QueryClient())
  return (
    <QueryClientProvider client={cache}>
      <AuthProvider service={service}>{children}</AuthProvider>
    </QueryClientProvider>
  )
}
