import { useRef, useState } from 'react'
import { useRestored } from '../browser.ts'
import type { FieldTexts } from '../flow/traits.ts'
import { type Action, opensPasskeyDialog } from './groups.ts'

/** One submission of each action at a time. Two forms of one action, with other fields, are sent in order. */
export function usePending<R extends { readonly kind: string }>() {
  const pending = useRef(new Map<string, Promise<R>>())
  const [isBusy, setBusy] = useState(false)
  function show(): void {
    setBusy(pending.current.size > 0)
  }
  useRestored(() => {
    pending.current.clear()
    show()
  })
  function once(action: Action, typed: FormData | FieldTexts, work: () => Promise<R>): Promise<R> {
    const ofAction = JSON.stringify(action)
    const key = `${ofAction} ${namesIn(action, typed)}`
    const runningWork = pending.current.get(key)
    if (runningWork !== undefined) return runningWork
    const earlier = [...pending.current].filter(([other]) => other.startsWith(`${ofAction} `))
    // The later one has to build on what the earlier one has stored.
    const result =
      earlier.length === 0 ? work() : Promise.allSettled(earlier.map(([, one]) => one)).then(work)
    pending.current.set(key, result)
    show()
    const end = () => {
      pending.current.delete(key)
      show()
    }
    // While the browser leaves, a second press would begin a second login.
    void result.then(({ kind }) => (kind === 'redirect' ? undefined : end()), end)
    return result
  }
  return { isBusy, once }
}

function namesIn(action: Action, typed: FormData | FieldTexts): string[] {
  // A challenge is valid once, by the button or a suggestion.
  if (opensPasskeyDialog(action)) return []
  return typed instanceof FormData ? [...new Set(typed.keys())] : Object.keys(typed)
}
