import { type ComponentType, type ReactNode, useSyncExternalStore } from 'react'
import { matchPath } from 'react-router'

export interface ScreenProps {
  /** While the session is checked, shown by a page without a frame. */
  readonly checking?: ReactNode
  /** Shown by a page with a frame, in place of its usual sign of waiting. */
  readonly inFrame?: ReactNode
}

/** Surrounds a page. Without children, shows that the session is being checked. */
export type PageFrame = ComponentType<{ children?: ReactNode }>

export interface PageRoute {
  /** Such as `/links/:id`. */
  readonly path: string
  readonly Screen: ComponentType<ScreenProps>
  /** Where anonymous visitors are redirected. Undefined for public pages. */
  readonly loginPath: string | undefined
  readonly preload: () => Promise<void>
  /** The frame of the screen, shown even if the screen cannot be loaded. Undefined until loaded by another page. */
  readonly frame?: () => PageFrame | undefined
  /** The dynamic imports, by which the build finds the files to load first. */
  readonly imports: readonly (() => Promise<unknown>)[]
}

let all: readonly PageRoute[] = []

/** The routes of the app. Session checks need them outside of components too. */
export function setPages(routes: readonly PageRoute[]): void {
  all = routes
}

/** As in the browser, a fixed segment precedes a parameter. */
function pageAt(pathname: string): PageRoute | undefined {
  const matches = all.filter(({ path }) => matchPath({ path, caseSensitive: true }, pathname))
  return matches.toSorted((a, b) => countParameters(a) - countParameters(b))[0]
}

export function countParameters({ path }: Pick<PageRoute, 'path'>): number {
  return path.split(':').length - 1
}

/** Where the page redirects anonymous visitors. Undefined for public and unknown pages. */
export function loginPathFor(pathname: string): string | undefined {
  return pageAt(pathname)?.loginPath
}

export async function preloadPage(pathname: string): Promise<void> {
  await pageAt(pathname)?.preload()
}

export function frameOf(pathname: string): PageFrame | undefined {
  return pageAt(pathname)?.frame?.()
}

let waiting = 0
const listeners = new Set<() => void>()

export async function whileLoading<T>(work: Promise<T>): Promise<T> {
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
