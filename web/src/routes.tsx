import { type LazyScreen, lazyScreen } from './lazy-screen.tsx'
import * as paths from './paths.ts'
import { NotFound } from './screens/not-found.tsx'

export interface ScreenRoute {
  readonly path: string
  readonly Screen: LazyScreen | (() => React.ReactNode)
  /** The page's title and description in the prerendered file. */
  readonly title: string
  readonly description: string
  /** The screen's source, where it has a file of its own in the build. */
  readonly source?: string
  /** It asks for the session in any case, so the client for that is fetched with the page. */
  readonly needsSession?: boolean
}

/** Every address of the app. Each screen comes with its visit. */
export const routes: readonly ScreenRoute[] = [
  {
    path: paths.home,
    Screen: lazyScreen(async () => (await import('./screens/home.tsx')).Home),
    title: 'My App',
    description: 'My App: register, verify your email address, sign in and see your dashboard.',
    source: 'src/screens/home.tsx',
  },
  {
    path: paths.about,
    Screen: lazyScreen(async () => (await import('./screens/about.tsx')).About),
    title: 'About us · My App',
    description: 'What My App is: a small web app with accounts and a protected dashboard.',
    source: 'src/screens/about.tsx',
  },
  {
    path: paths.login,
    Screen: lazyScreen(async () => (await import('./screens/login.tsx')).Login),
    title: 'Sign in · My App',
    description: 'Sign in to My App with your email address and password.',
    source: 'src/screens/login.tsx',
  },
  {
    path: paths.register,
    Screen: lazyScreen(async () => (await import('./screens/register.tsx')).Register),
    title: 'Create account · My App',
    description: 'Create your My App account with an email address and a password.',
    source: 'src/screens/register.tsx',
  },
  {
    path: paths.verify,
    Screen: lazyScreen(async () => (await import('./screens/verify.tsx')).Verify),
    title: 'Verify your email · My App',
    description: 'Enter the code that My App sent to your email address.',
    source: 'src/screens/verify.tsx',
  },
  {
    path: paths.recovery,
    Screen: lazyScreen(async () => (await import('./screens/recovery.tsx')).Recovery),
    title: 'Reset your password · My App',
    description: 'Get back into your My App account with a code and choose a new password.',
    source: 'src/screens/recovery.tsx',
  },
  {
    path: paths.settings,
    Screen: lazyScreen(async () => (await import('./screens/settings/profile.tsx')).ProfileSettings),
    title: 'Profile · My App',
    description: 'Your My App account: your name, your email and how the app looks.',
    source: 'src/screens/settings/profile.tsx',
    needsSession: true,
  },
  {
    path: paths.security,
    Screen: lazyScreen(async () => (await import('./screens/settings/security.tsx')).SecuritySettings),
    title: 'Security · My App',
    description: 'Your passkeys, your password and your second factors.',
    source: 'src/screens/settings/security.tsx',
    needsSession: true,
  },
  {
    path: paths.connections,
    Screen: lazyScreen(async () => (await import('./screens/settings/connections.tsx')).ConnectionsSettings),
    title: 'Connected accounts · My App',
    description: 'The accounts elsewhere that you can sign in with.',
    source: 'src/screens/settings/connections.tsx',
    needsSession: true,
  },
  {
    path: paths.devices,
    Screen: lazyScreen(async () => (await import('./screens/settings/devices.tsx')).DevicesSettings),
    title: 'Devices · My App',
    description: 'Where you are signed in, and the way to end that.',
    source: 'src/screens/settings/devices.tsx',
    needsSession: true,
  },
  {
    path: paths.activity,
    Screen: lazyScreen(async () => (await import('./screens/settings/activity.tsx')).ActivitySettings),
    title: 'Activity · My App',
    description: 'What happened with your account in the last 90 days.',
    source: 'src/screens/settings/activity.tsx',
    needsSession: true,
  },
  {
    path: paths.data,
    Screen: lazyScreen(async () => (await import('./screens/settings/data.tsx')).DataSettings),
    title: 'Your data · My App',
    description: 'Download all that My App keeps about you, or delete your account.',
    source: 'src/screens/settings/data.tsx',
    needsSession: true,
  },
  {
    path: paths.dashboard,
    Screen: lazyScreen(async () => (await import('./screens/dashboard.tsx')).Dashboard),
    title: 'Dashboard · My App',
    description: 'Your dashboard, for those who are signed in.',
    source: 'src/screens/dashboard.tsx',
    needsSession: true,
  },
  {
    path: paths.error,
    Screen: lazyScreen(async () => (await import('./screens/error.tsx')).ErrorScreen),
    title: 'Something went wrong · My App',
    description: 'Something went wrong on the way to My App.',
    source: 'src/screens/error.tsx',
  },
]

/** For any other path. */
export const notFound: ScreenRoute = {
  path: '*',
  Screen: NotFound,
  title: 'Not found · My App',
  description: 'There is no page at this address.',
}

/** Loads what the screen at that path needs. */
export async function preloadScreen(pathname: string): Promise<void> {
  const path = pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
  const Screen = routes.find((route) => route.path === path)?.Screen
  if (Screen && 'preload' in Screen) await Screen.preload()
}
