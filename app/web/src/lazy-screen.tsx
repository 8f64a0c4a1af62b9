import { type ComponentType, lazy, useState } from 'react'
import { whileLoading } from './loading.ts'

export interface LazyScreen {
  (): React.ReactNode
  /** Loads the screen's file, so that the first render need not wait; one that failed is requested again. */
  preload(): Promise<void>
}

/** A screen whose code is loaded at its first visit, and which then renders at once. */
export function lazyScreen(load: () => Promise<ComponentType>): LazyScreen {
  let loaded: ComponentType | undefined
  const preload = async () => {
    loaded ??= await load()
  }
  // React caches a failure permanently; what the error boundary preloads replaces it.
  const Waiting = lazy(async () => ({ default: await whileLoading(load()) }))

  function Screen() {
    // Chosen once for each visit: switching the component would lose what was typed.
    const [Chosen] = useState(() => loaded ?? Waiting)
    return <Chosen />
  }
  return Object.assign(Screen, { preload })
}
