import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from './api/query-client.ts'

/** Renders a page that is not prerendered: of the admin page or the demo. */
export function mount(page: ReactNode): void {
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no #root')
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={createQueryClient()}>{page}</QueryClientProvider>
    </StrictMode>,
  )
}
