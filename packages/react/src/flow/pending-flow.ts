import { recall, remember } from '../browser.ts'

// The flow whose code is on its way. Pages without a form for codes read it too.

export function rememberPendingFlow(kind: string, id: string | null): void {
  remember(keyOf(kind), id)
}

export function recallPendingFlow(kind: string): string | null | undefined {
  return recall(keyOf(kind))
}

function keyOf(kind: string): string {
  return `waiting-${kind}`
}
