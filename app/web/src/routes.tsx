import { type LazyScreen, lazyScreen } from './lazy-screen.tsx'
import * as paths from './paths.ts'
import { NotFound } from './screens/not-found.tsx'

export interface ScreenRoute {
  readonly path: string
  readonly Screen: LazyScreen | (() => React.ReactNode)
}

/** Every path of the app; titles and descriptions are in `pages.ts`. A screen's code is loaded when it is visited. */
export const routes: readonly ScreenRoute[] = [
  {
    path: paths.home,
    Screen: lazyScreen(async () => (await import('./screens/home.tsx')).Home),
  },
  {
    path: paths.about,
    Screen: lazyScreen(async () => (await import('./screens/about.tsx')).About),
  },
  {
    path: paths.login,
    Screen: lazyScreen(async () => (await import('./screens/login.tsx')).Login),
  },
  {
    path: paths.register,
    Screen: lazyScreen(async () => (await import('./screens/register.tsx')).Register),
  },
  {
    path: paths.verify,
    Screen: lazyScreen(async () => (await import('./screens/verify.tsx')).Verify),
  },
  {
    path: paths.recovery,
    Screen: lazyScreen(async () => (await import('./screens/recovery.tsx')).Recovery),
  },
  {
    path: paths.settings,
    Screen: lazyScreen(async () => (await import('./screens/settings/profile.tsx')).ProfileSettings),
  },
  {
    path: paths.security,
    Screen: lazyScreen(async () => (await import('./screens/settings/security.tsx')).SecuritySettings),
  },
  {
    path: paths.connections,
    Screen: lazyScreen(async () => (await import('./screens/settings/connections.tsx')).ConnectionsSettings),
  },
  {
    path: paths.devices,
    Screen: lazyScreen(async () => (await import('./screens/settings/devices.tsx')).DevicesSettings),
  },
  {
    path: paths.activity,
    Screen: lazyScreen(async () => (await import('./screens/settings/activity.tsx')).ActivitySettings),
  },
  {
    path: paths.data,
    Screen: lazyScreen(async () => (await import('./screens/settings/data.tsx')).DataSettings),
  },
  {
    path: paths.dashboard,
    Screen: lazyScreen(async () => (await import('./screens/dashboard.tsx')).Dashboard),
  },
  {
    path: paths.error,
    Screen: lazyScreen(async () => (await import('./screens/error.tsx')).ErrorScreen),
  },
]

/** For any other path. */
export const notFound: ScreenRoute = { path: '*', Screen: NotFound }

/** Loads what the screen at that path needs. */
export async function preloadScreen(pathname: string): Promise<void> {
  const path = pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
  const Screen = routes.find((route) => route.path === path)?.Screen
  if (Screen && 'preload' in Screen) await Screen.preload()
}
