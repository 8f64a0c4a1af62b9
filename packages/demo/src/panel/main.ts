// The page's own files come first.
addEventListener('load', () => import('./show-panel.tsx'), { once: true })
