import { createRoot } from 'react-dom/client'
import { continueSignIn } from './page-forms.ts'
import styles from './panel.css?inline'
import { Panel } from './panel.tsx'

// Production has none of it, so the panel brings its styles along. The page's policy forbids inline ones.
const sheet = new CSSStyleSheet()
sheet.replaceSync(styles)
document.adoptedStyleSheets.push(sheet)

const aside = document.createElement('aside')
aside.className = 'demo-panel'
aside.setAttribute('aria-label', 'Demo')
document.body.append(aside)
createRoot(aside).render(<Panel frame={aside} />)
void continueSignIn()
