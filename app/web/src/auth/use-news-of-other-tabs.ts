import { useEffect } from 'react'
import { listenToOtherTabs } from './tab-channel.ts'

/** Follows what other tabs say about the session. Both callbacks must be stable. */
export function useNewsOfOtherTabs(
  onSignedOut: () => Promise<unknown>,
  onSignedIn: () => Promise<unknown>,
): void {
  useEffect(
    () =>
      listenToOtherTabs(({ kind }) => {
        if (kind === 'signed-out') void onSignedOut()
        if (kind === 'signed-in') void onSignedIn()
      }),
    [onSignedOut, onSignedIn],
  )
}
