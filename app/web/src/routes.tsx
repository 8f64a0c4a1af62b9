import { type ComponentType, lazy, useState, useSyncExternalStore } from 'react'
import { matchRoutes } from 'react-router'
import * as paths from './paths.ts'
import { NotFound } from './screens/not-found.tsx'

export interface ScreenRoute {
  /** Such as `/links/:id`. */
  readonly path: string
  readonly Screen: LazyScreen | (() => React.ReactNode)
  /** Sources that the screen needs besides the app. */
  readonly sources: readonly string[]
}

const screens = import.meta.glob<ComponentType>(
  ['./screens/*.tsx', './features/*/page.tsx', '!**/*.test.tsx', '!./screens/not-found.tsx'],
  { import: 'Screen' },
)

export const routes: readonly ScreenRoute[] = [
  screenAt(paths.home, 'screens/home'),
  screenAt(paths.about, 'screens/about'),
  screenAt(paths.login, 'screens/login'),
  screenAt(paths.register, 'screens/register'),
  screenAt(paths.verify, 'screens/verify'),
  screenAt(paths.recovery, 'screens/recovery'),
  screenAt(paths.dashboard, 'screens/dashboard'),
  screenAt(paths.error, 'screens/error'),
  accountPageAt(paths.settings, 'features/profile/page'),
  accountPageAt(paths.security, 'features/security/page'),
  accountPageAt(paths.connections, 'features/connections/page'),
  accountPageAt(paths.devices, 'features/devices/page'),
  accountPageAt(paths.activity, 'features/activity/page'),
  accountPageAt(paths.data, 'features/your-data/page'),
]

export const notFound: ScreenRoute = { path: '*', Screen: NotFound, sources: [] }

export async function preloadScreen(pathname: string): Promise<void> {
  const Screen = matchRoutes([...routes], pathname)?.[0]?.route.Screen
  if (Screen && 'preload' in Screen) await Screen.preload()
}

export interface LazyScreen {
  (): React.ReactNode
  preload(): Promise<void>
}

function screenAt(path: string, name: string): ScreenRoute {
  return { path, Screen: lazyScreen(loaderOf(name)), sources: [`src/${name}.tsx`] }
}

function accountPageAt(path: string, name: string): ScreenRoute {
  const load = loaderOf(name)
  const Screen = lazyScreen(async () => {
    const area = import('./features/account-area/account-area.tsx')
    const [{ AccountArea }, Content] = await Promise.all([area, load()])
    return () => (
      <AccountArea path={path}>
        <Content />
      </AccountArea>
    )
  })
  return { path, Screen, sources: ['src/features/account-area/account-area.tsx', `src/${name}.tsx`] }
}

function loaderOf(name: string): () => Promise<ComponentType> {
  const load = screens[`./${name}.tsx`]
  if (!load) throw new Error(`There is no ${name}.tsx`)
  return load
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
