import { useIsLoading } from '../loading.ts'
import { layoutTexts } from '../texts/layout.ts'

/** A line at the top of the window while a screen's file is loading slowly. */
export function Progress() {
  return useIsLoading() ? (
    <div
      role="progressbar"
      aria-label={layoutTexts.loading}
      className="fixed inset-x-0 top-0 z-20 h-0.5 animate-progress bg-accent"
    />
  ) : null
}
