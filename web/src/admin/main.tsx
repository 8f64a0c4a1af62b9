import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { createQueryClient } from '../query-client.ts'
import { AdminApp } from './admin-app.tsx'
import '../styles.css'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <BrowserRouter basename="/ui">
        <AdminApp />
      </BrowserRouter>
    </QueryClientProvider>
  </StrictMode>,
)
