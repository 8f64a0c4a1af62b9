import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from '../query-client.ts'
import { DemoProvider } from './demo-provider.tsx'
import '../styles.css'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <DemoProvider />
    </QueryClientProvider>
  </StrictMode>,
)
