import { useCallback, useEffect, useRef, useState } from 'react'
import { lazyPart } from './lazy-part.tsx'

/** Lazy, because most visits end nothing. */
export const Confirmation = lazyPart(
  async () => (await import('./confirmation-panel.tsx')).ConfirmationPanel,
  'h-40 sm:h-34',
)

/** A question that a button opens in its place. */
export function useDisclosure<Name, Heading extends HTMLElement = HTMLHeadingElement>(initial?: Name) {
  const [asked, setAsked] = useState(initial)
  const [lastAsked, setLastAsked] = useState(initial)
  const [status, say] = useState<string>()
  const heading = useFocusOn<Heading>()
  const opener = useFocusOn<HTMLButtonElement>()

  const change = (name: Name | undefined, words?: string) => {
    setAsked(name)
    say(words)
  }
  return {
    asked,
    status,
    say,
    heading,
    openerOf: (name: Name) => (name === lastAsked ? opener.ref : undefined),
    ask(name: Name) {
      change(name)
      setLastAsked(name)
    },
    /** The heading takes the focus. */
    close(words?: string) {
      change(undefined, words)
      heading.focus()
    },
    /** The button takes the focus again. */
    cancel() {
      change(undefined)
      opener.focus()
    },
  }
}

export type Disclosure<Name> = ReturnType<typeof useDisclosure<Name>>

export function useFocusOn<E extends HTMLElement>() {
  const element = useRef<E>(null)
  const isLate = useRef(false)
  const [wanted, setWanted] = useState(0)
  useEffect(() => {
    if (wanted === 0) return
    element.current?.focus()
    isLate.current = !element.current
  }, [wanted])
  // A part that was still loading takes the focus when it arrives.
  const ref = useCallback((next: E | null) => {
    element.current = next
    if (next && isLate.current) next.focus()
    isLate.current &&= !next
  }, [])
  return { ref, focus: () => setWanted((count) => count + 1) }
}
