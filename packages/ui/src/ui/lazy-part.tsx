import { type ComponentType, lazy, Suspense, useEffect } from 'react'
import { INTENTS, listen } from './browser.ts'

/**
 * A part of a page that opens on demand.
 * @param height classes of its usual height, so that nothing below moves when it arrives
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>, height: string) {
  const Loaded = lazy(async () => ({ default: await load() }))
  function Part(props: Props) {
    return (
      <Suspense fallback={<div className={`${height} animate-wait rounded-field bg-raised`} />}>
        <Loaded {...props} />
      </Suspense>
    )
  }
  return Object.assign(Part, { preload: load })
}

interface Preloadable {
  preload(): Promise<unknown>
}

/** Loads parts once a control of the page is pointed at, touched or focused. A failed one is requested again when it opens. */
export function usePreload(...parts: readonly Preloadable[]): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parts of a page are always the same
  useEffect(() => {
    const stop = listen(INTENTS, ({ target }) => {
      if (!(target instanceof Element) || !target.closest('main :is(a, button, input)')) return
      stop()
      for (const part of parts) part.preload().catch(() => undefined)
    })
    return stop
  }, [])
}
