import { useEffect, useRef, useState } from 'react'

/** Moves the focus to an element once what held it before has left the page. */
export function useFocusOn<E extends HTMLElement>() {
  const ref = useRef<E>(null)
  const [wanted, setWanted] = useState(0)
  useEffect(() => {
    if (wanted > 0) ref.current?.focus()
  }, [wanted])
  return { ref, focus: () => setWanted((count) => count + 1) }
}
