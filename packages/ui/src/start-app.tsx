import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { createQueryClient } from './api/query-client.ts'
import { App, type AppDefinition } from './app.tsx'
import { preloadPage } from './routes.ts'

/**
 * Hydrates the prerendered page, or renders one.
 *
 * @example await startApp(app)
 */
export async function startApp(app: AppDefinition): Promise<void> {
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no #root')

  // A reload ends the notice about a redirect.
  if (location.pathname === '/') history.replaceState(null, '')

  const page = (
    <StrictMode>
      <BrowserRouter>
        <App app={app} cache={createQueryClient()} />
      </BrowserRouter>
    </StrictMode>
  )
  // If it fails, the prerendered page stays until the error boundary renders.
  await preloadPage(location.pathname).catch(console.error)
  if (root.firstElementChild) hydrateRoot(root, page, { onRecoverableError })
  else createRoot(root, { onRecoverableError }).render(page)
}

/** React also reports a fade that the browser aborts (DOMException), which is harmless. */
function onRecoverableError(error: unknown): void {
  if (!(error instanceof DOMException)) reportError(error)
}
