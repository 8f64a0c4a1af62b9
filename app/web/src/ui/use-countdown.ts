import { useEffect, useState } from 'react'

/** Whole seconds until that moment (milliseconds since the epoch), counted down to zero. */
export function useCountdown(until: number): number {
  const [now, setNow] = useState(() => Date.now())
  const left = Math.max(0, Math.ceil((until - now) / 1000))
  const isOver = left === 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new moment starts the clock again
  useEffect(() => {
    setNow(Date.now())
    if (isOver) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [until, isOver])
  return left
}
