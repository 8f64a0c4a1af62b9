import { type ComponentType, lazy, useState, useSyncExternalStore } from 'react'
import * as paths from './paths.ts'
import { NotFound } from './screens/not-found.tsx'

/** The build writes these into the page. */
interface PageFacts {
  readonly title: string
  readonly description: string
  readonly sources: readonly string[]
}

export interface ScreenRoute {
  readonly path: string
  readonly Screen: LazyScreen | (() => React.ReactNode)
  /** Undefined in browsers, where it would only add weight. */
  readonly page: PageFacts | undefined
}

const isBrowserBuild = import.meta.env.PROD && !import.meta.env.SSR
const accountArea = 'src/features/account-area/account-area.tsx'

export const routes: readonly ScreenRoute[] = [
  {
    path: paths.home,
    Screen: lazyScreen(async () => (await import('./screens/home.tsx')).Home),
    page: isBrowserBuild
      ? undefined
      : {
          title: 'My App',
          description: 'My App: register, verify your email address, log in and see your dashboard.',
          sources: ['src/screens/home.tsx'],
        },
  },
  {
    path: paths.about,
    Screen: lazyScreen(async () => (await import('./screens/about.tsx')).About),
    page: isBrowserBuild
      ? undefined
      : {
          title: 'About us · My App',
          description: 'What My App is: a small web app with accounts and a protected dashboard.',
          sources: ['src/screens/about.tsx'],
        },
  },
  {
    path: paths.login,
    Screen: lazyScreen(async () => (await import('./screens/login.tsx')).Login),
    page: isBrowserBuild
      ? undefined
      : {
          title: 'Login · My App',
          description: 'Log in to My App with your email address and password.',
          sources: ['src/screens/login.tsx'],
        },
  },
  {
    path: paths.register,
    Screen: lazyScreen(async () => (await import('./screens/register.tsx')).Register),
    page: isBrowserBuild
      ? undefined
      : {
          title: 'Sign up · My App',
          description: 'Create your My App account with an email address and a password.',
          sources: ['src/screens/register.tsx'],
        },
  },
  {
    path: paths.verify,
    Screen: lazyScreen(async () => (await import('./screens/verify.tsx')).Verify),
    page: isBrowserBuild
      ? undefined
      : {
          title: 'Verify your email · My App',
          description: 'Enter the code that My App sent to your email address.',
          sources: ['src/screens/verify.tsx'],
        },
  },
  {
    path: paths.recovery,
    Screen: lazyScreen(async () => (await import('./screens/recovery.tsx')).Recovery),
    page: isBrowserBuild
      ? undefined
      : {
          title: 'Reset your password · My App',
          description: 'Reset your My App password with a code that we email you.',
          sources: ['src/screens/recovery.tsx'],
        },
  },
  {
    path: paths.settings,
    Screen: accountScreen(
      paths.settings,
      async () => (await import('./features/profile/profile.tsx')).Profile,
    ),
    page: isBrowserBuild
      ? undefined
      : {
          title: 'Profile · My App',
          description: 'Your My App account: your name, your email and how the app looks.',
          sources: [accountArea, 'src/features/profile/profile.tsx'],
        },
  },
  {
    path: paths.security,
    Screen: accountScreen(
      paths.security,
      async () => (await import('./features/security/security.tsx')).Security,
    ),
    page: isBrowserBuild
      ? undefined
      : {
          title: 'Security · My App',
          description: 'Your passkeys, your password and your second factors.',
          sources: [accountArea, 'src/features/security/security.tsx'],
        },
  },
  {
    path: paths.connections,
    Screen: accountScreen(
      paths.connections,
      async () => (await import('./features/connections/connections.tsx')).Connections,
    ),
    page: isBrowserBuild
      ? undefined
      : {
          title: 'Connected accounts · My App',
          description: 'The accounts on other sites that you can log in with.',
          sources: [accountArea, 'src/features/connections/connections.tsx'],
        },
  },
  {
    path: paths.devices,
    Screen: accountScreen(
      paths.devices,
      async () => (await import('./features/devices/devices.tsx')).Devices,
    ),
    page: isBrowserBuild
      ? undefined
      : {
          title: 'Devices · My App',
          description: 'Where you are logged in, and how to log out.',
          sources: [accountArea, 'src/features/devices/devices.tsx'],
        },
  },
  {
    path: paths.activity,
    Screen: accountScreen(
      paths.activity,
      async () => (await import('./features/activity/activity.tsx')).Activity,
    ),
    page: isBrowserBuild
      ? undefined
      : {
          title: 'Activity · My App',
          description: 'What happened to your account in the last 90 days.',
          sources: [accountArea, 'src/features/activity/activity.tsx'],
        },
  },
  {
    path: paths.data,
    Screen: accountScreen(
      paths.data,
      async () => (await import('./features/your-data/your-data.tsx')).YourData,
    ),
    page: isBrowserBuild
      ? undefined
      : {
          title: 'Your data · My App',
          description: 'Download everything that My App keeps about you, or delete your account.',
          sources: [accountArea, 'src/features/your-data/your-data.tsx'],
        },
  },
  {
    path: paths.dashboard,
    Screen: lazyScreen(async () => (await import('./screens/dashboard.tsx')).Dashboard),
    page: isBrowserBuild
      ? undefined
      : {
          title: 'Dashboard · My App',
          description: 'Your dashboard, as soon as you log in.',
          sources: ['src/screens/dashboard.tsx'],
        },
  },
  {
    path: paths.error,
    Screen: lazyScreen(async () => (await import('./screens/error.tsx')).ErrorScreen),
    page: isBrowserBuild
      ? undefined
      : {
          title: 'Something went wrong · My App',
          description: 'Something went wrong on the way to My App.',
          sources: ['src/screens/error.tsx'],
        },
  },
]

export const notFound: ScreenRoute = {
  path: '*',
  Screen: NotFound,
  page: isBrowserBuild
    ? undefined
    : {
        title: 'Not found · My App',
        description: 'There is no page at this address.',
        sources: [],
      },
}

export async function preloadScreen(pathname: string): Promise<void> {
  const path = pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname
  const Screen = routes.find((route) => route.path === path)?.Screen
  if (Screen && 'preload' in Screen) await Screen.preload()
}

export interface LazyScreen {
  (): React.ReactNode
  /** Loads the screen ahead. Retries after a failure. */
  preload(): Promise<void>
}

function accountScreen(path: string, load: () => Promise<ComponentType>): LazyScreen {
  return lazyScreen(async () => {
    const area = import('./features/account-area/account-area.tsx')
    const [{ AccountArea }, Content] = await Promise.all([area, load()])
    return () => (
      <AccountArea path={path}>
        <Content />
      </AccountArea>
    )
  })
}

/** A screen that is loaded on its first visit and renders at once afterwards. */
function lazyScreen(load: () => Promise<ComponentType>): LazyScreen {
  let loaded: ComponentType | undefined
  const preload = async () => {
    loaded ??= await load()
  }
  // React caches a failure permanently. The error boundary preloads a replacement.
  const Waiting = lazy(async () => ({ default: await whileLoading(load()) }))

  function Screen() {
    // Chosen once per visit: switching the component would lose typed text.
    const [Chosen] = useState(() => loaded ?? Waiting)
    return <Chosen />
  }
  return Object.assign(Screen, { preload })
}

let waiting = 0
const listeners = new Set<() => void>()

/** Counts a screen that a visitor waits for. */
async function whileLoading<T>(work: Promise<T>): Promise<T> {
  // React is rendering, and no state may change now.
  queueMicrotask(() => change(1))
  return await work.finally(() => change(-1))
}

export function useIsLoading(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => waiting > 0,
    () => false,
  )
}

function change(by: number): void {
  waiting += by
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
