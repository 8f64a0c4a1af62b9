/** What the tabs of one browser tell each other. */
export type TabMessage =
  | { kind: 'signed-in' }
  | { kind: 'signed-out' }
  | { kind: 'verified'; flow_id: string }

let channel: BroadcastChannel | undefined

export function tellOtherTabs(message: TabMessage): void {
  openChannel()?.postMessage(message)
}

/** Calls the listener for what other tabs say, never for this tab's own words; returns the way to stop. */
export function listenToOtherTabs(listener: (message: TabMessage) => void): () => void {
  const onMessage = (event: MessageEvent) => listener(event.data as TabMessage)
  const opened = openChannel()
  opened?.addEventListener('message', onMessage)
  return () => opened?.removeEventListener('message', onMessage)
}

// One channel object for the whole tab: a second one in the same tab would hear the first.
function openChannel(): BroadcastChannel | undefined {
  if (typeof BroadcastChannel === 'undefined') return undefined
  channel ??= new BroadcastChannel('my-app')
  return channel
}
