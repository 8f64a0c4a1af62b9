import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { createQueryClient } from './api/query-client.ts'
import { App } from './app.tsx'
import { preloadScreen } from './routes.tsx'
import './styles.css'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')

// A reload ends the notice about a redirect.
if (location.pathname === '/') history.replaceState(null, '')

const app = (
  <StrictMode>
    <BrowserRouter>
      <App cache={createQueryClient()} />
    </BrowserRouter>
  </StrictMode>
)

// If it fails, the prerendered page stays until the error boundary renders.
await preloadScreen(location.pathname).catch(console.error)
if (root.firstElementChild) hydrateRoot(root, app, { onRecoverableError })
else createRoot(root, { onRecoverableError }).render(app)

/** React also reports a fade that the browser aborts (DOMException), which is harmless. */
function onRecoverableError(error: unknown): void {
  if (!(error instanceof DOMException)) reportError(error)
}
