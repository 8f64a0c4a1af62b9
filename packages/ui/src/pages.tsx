import { type ComponentType, lazy, useState } from 'react'
import * as paths from './paths.ts'
import { type PageRoute, whileLoading } from './routes.ts'

interface PageOptions {
  /** `session`: anonymous visitors are redirected to the login, or to `entrance`. */
  readonly access?: 'public' | 'session'
  readonly entrance?: string
}

type PageModule = () => Promise<{ readonly default: ComponentType }>

/**
 * A page of the app, whose module is loaded on its first visit.
 *
 * @param path an address, or a pattern such as `/links/:id`
 * @example page('/reports', () => import('./pages/reports.tsx'), { access: 'session' })
 */
export function page(path: string, load: PageModule, options: PageOptions = {}): PageRoute {
  const { access = 'public', entrance = access === 'session' ? paths.login : undefined } = options
  const { Screen, preload } = lazyScreen(async () => (await load()).default)
  return { path, Screen, entrance, preload, imports: [load] }
}

/**
 * The pages of an account: profile, security, connections, devices, activity and data.
 *
 * @example defineApp({ config, routes: [page('/', () => import('./pages/home.tsx')), ...accountPages()], Layout, NotFound })
 */
export function accountPages(): PageRoute[] {
  return [
    accountPage(paths.settings, () => import('./features/profile/page.tsx')),
    accountPage(paths.security, () => import('./features/security/page.tsx')),
    accountPage(paths.connections, () => import('./features/connections/page.tsx')),
    accountPage(paths.devices, () => import('./features/devices/page.tsx')),
    accountPage(paths.activity, () => import('./features/activity/page.tsx')),
    accountPage(paths.data, () => import('./features/your-data/page.tsx')),
  ]
}

function accountPage(path: string, load: () => Promise<{ readonly Screen: ComponentType }>): PageRoute {
  const loadArea = () => import('./features/account-area/account-area.tsx')
  const { Screen, preload } = lazyScreen(async () => {
    const [{ AccountArea }, { Screen: Content }] = await Promise.all([loadArea(), load()])
    return () => (
      <AccountArea path={path}>
        <Content />
      </AccountArea>
    )
  })
  return { path, Screen, entrance: paths.login, preload, imports: [loadArea, load] }
}

/** A screen that is loaded on its first visit and renders at once afterwards. */
function lazyScreen(load: () => Promise<ComponentType>): Pick<PageRoute, 'Screen' | 'preload'> {
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
  return { Screen, preload }
}
