import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { createQueryClient } from './api/query-client.ts'
import { App } from './app.tsx'
import { preloadScreen } from './routes.tsx'
import './styles.css'

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')

// What the home page said about a redirect is over with a reload.
if (location.pathname === '/') history.replaceState(null, '')

const app = (
  <StrictMode>
    <BrowserRouter>
      <App cache={createQueryClient()} />
    </BrowserRouter>
  </StrictMode>
)

// If the file does not load, the page stays as prerendered until the error boundary renders.
await preloadScreen(location.pathname).catch(console.error)
if (root.firstElementChild) hydrateRoot(root, app, { onRecoverableError })
else createRoot(root, { onRecoverableError }).render(app)

/** React calls it also for a fade that the browser aborts, with a DOMException: the screen changes without it. */
function onRecoverableError(error: unknown): void {
  if (!(error instanceof DOMException)) reportError(error)
}
