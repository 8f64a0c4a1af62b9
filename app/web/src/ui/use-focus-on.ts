import { useEffect, useRef, useState } from 'react'

/** Moves the focus to an element after the render that removes the focused one. */
export function useFocusOn<E extends HTMLElement>() {
  const ref = useRef<E>(null)
  const [wanted, setWanted] = useState(0)
  useEffect(() => {
    if (wanted > 0) ref.current?.focus()
  }, [wanted])
  return { ref, focus: () => setWanted((count) => count + 1) }
}
