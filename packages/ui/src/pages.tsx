import { type ComponentType, lazy, useState } from 'react'
import type { AccountPage } from './features/account-area/account-area.tsx'
import * as paths from './paths.ts'
import { type PageFrame, type PageRoute, type ScreenProps, whileLoading } from './routes.ts'

type PageOptions =
  | { readonly access?: 'public' }
  | {
      readonly access: 'session'
      /** Where visitors are redirected; default: `/login`. */
      readonly loginPath?: string
    }

interface PageModule {
  readonly default: ComponentType
  readonly Frame?: PageFrame
}

/**
 * A page of the app, whose module is loaded on its first visit.
 *
 * @param path an address, or a pattern such as `/links/:id`
 * @example page('/reports', () => import('./pages/reports.tsx'), { access: 'session' })
 */
export function page(path: string, load: () => Promise<PageModule>, options: PageOptions = {}): PageRoute {
  const loginPath = options.access === 'session' ? (options.loginPath ?? paths.login) : undefined
  return { path, ...lazyScreen(load), loginPath, imports: [load] }
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

let loadedArea: typeof import('./features/account-area/account-area.tsx') | undefined

async function loadArea() {
  loadedArea ??= await import('./features/account-area/account-area.tsx')
  return loadedArea
}

function accountPage(path: string, load: () => Promise<AccountPage>): PageRoute {
  let Frame: PageFrame | undefined
  const frame = () => {
    Frame ??= loadedArea?.accountFrame(path, () => ({ entries: [] }))
    return Frame
  }
  const screen = lazyScreen(async () => {
    const [{ accountFrame }, { Screen, outline }] = await Promise.all([loadArea(), load()])
    return { default: Screen, Frame: accountFrame(path, outline) }
  })
  return { path, ...screen, frame, loginPath: paths.login, imports: [loadArea, load] }
}

/** A screen that is loaded on its first visit and renders at once afterwards. */
function lazyScreen(load: () => Promise<PageModule>): Pick<PageRoute, 'Screen' | 'preload'> {
  let loaded: PageRoute['Screen'] | undefined
  const preload = async () => {
    loaded ??= screenOf(await load())
  }
  // React caches a failure permanently. The error boundary preloads a replacement.
  const Waiting = lazy(async () => ({ default: screenOf(await whileLoading(load())) }))

  function Screen(props: ScreenProps) {
    // Chosen once per visit: switching the component would lose typed text.
    const [Chosen] = useState(() => loaded ?? Waiting)
    return <Chosen {...props} />
  }
  return { Screen, preload }
}

function screenOf({ default: Content, Frame }: PageModule): PageRoute['Screen'] {
  return function LoadedScreen({ checking, inFrame }: ScreenProps) {
    if (!Frame) return checking ?? <Content />
    // One element in both states, so that its heading keeps the focus.
    return <Frame>{checking ? inFrame : <Content />}</Frame>
  }
}
