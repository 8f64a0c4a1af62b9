import { useEffect } from 'react'

export type TabMessage =
  | { kind: 'signed-in' }
  | { kind: 'signed-out' }
  | { kind: 'verified'; flow_id: string }

let channel: BroadcastChannel | undefined

export function tellOtherTabs(message: TabMessage): void {
  openChannel()?.postMessage(message)
}

export function listenToOtherTabs(listener: (message: TabMessage) => void): () => void {
  const onMessage = (event: MessageEvent) => listener(event.data as TabMessage)
  const opened = openChannel()
  opened?.addEventListener('message', onMessage)
  return () => opened?.removeEventListener('message', onMessage)
}

// One channel per tab: a second one would receive the messages of the first.
function openChannel(): BroadcastChannel | undefined {
  if (typeof BroadcastChannel === 'undefined') return undefined
  channel ??= new BroadcastChannel('ostiary')
  return channel
}

/** Follows logins and logouts in other tabs. Both callbacks must be stable. */
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
