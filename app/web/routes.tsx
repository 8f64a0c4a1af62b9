import { accountPages, page } from '@ostiary/ui'

export const routes = [
  page('/', () => import('./pages/home.tsx')),
  page('/about', () => import('./pages/about.tsx')),
  page('/login', () => import('./pages/login.tsx')),
  page('/register', () => import('./pages/register.tsx')),
  page('/verify', () => import('./pages/verify.tsx')),
  page('/recovery', () => import('./pages/recovery.tsx')),
  page('/dashboard', () => import('./pages/dashboard.tsx'), { access: 'session', loginPath: '/' }),
  page('/error', () => import('./pages/error.tsx')),
  ...accountPages(),
]
