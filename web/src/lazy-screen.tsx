import { type ComponentType, lazy, useState } from 'react'
import { whileLoading } from './loading.ts'

export interface LazyScreen {
  (): React.ReactNode
  /** Loads the screen's file, so that the first render needs no waiting; one that failed is asked for again. */
  preload(): Promise<void>
}

/** A screen whose code arrives with its first visit; once it is loaded it renders at once. */
export function lazyScreen(load: () => Promise<ComponentType>): LazyScreen {
  let loaded: ComponentType | undefined
  const preload = async () => {
    loaded ??= await load()
  }
  // React keeps a failure for good; what the error boundary then preloads takes its place.
  const Waiting = lazy(async () => ({ default: await whileLoading(load()) }))

  function Screen() {
    // Chosen once for each visit: another component in its place would forget what was typed.
    const [Chosen] = useState(() => loaded ?? Waiting)
    return <Chosen />
  }
  return Object.assign(Screen, { preload })
}
