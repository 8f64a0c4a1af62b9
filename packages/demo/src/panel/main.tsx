import { createQueryClient } from '@ostiary/ui/internal'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import content from './content.css?inline'
import { continueSignIn } from './page-forms.ts'
import frame from './panel.css?inline'
import { Panel } from './panel.tsx'

// Production has none of it, so the panel brings its styles along. The page's policy forbids inline ones.
const sheet = new CSSStyleSheet()
sheet.replaceSync(frame + content)
document.adoptedStyleSheets.push(sheet)

const root = document.body.appendChild(document.createElement('div'))
createRoot(root).render(
  <QueryClientProvider client={createQueryClient()}>
    <Panel filled={continueSignIn()} />
  </QueryClientProvider>,
)
