import { useState } from 'react'
import { useCountdown } from './use-countdown.ts'

const WAIT = /Try again in (\d+) (second|minute)s?\./

/** A sentence; one that says how long to wait has a clock that runs until then. */
export function WithClock({ children }: { children: string }) {
  const wait = WAIT.exec(children)
  if (!wait) return children
  const [words, number, unit] = wait
  const seconds = Number(number) * (unit === 'minute' ? 60 : 1)
  const [before, after] = children.split(words)
  return (
    <>
      {before}
      {/* Announced once, as the service says it: a clock that speaks each second cannot be listened to. */}
      <span className="sr-only">{words}</span>
      <span aria-hidden="true">
        <Clock key={children} seconds={seconds} />
      </span>
      {after}
    </>
  )
}

function Clock({ seconds }: { seconds: number }) {
  const [until] = useState(() => Date.now() + seconds * 1000)
  const left = useCountdown(until)
  if (left === 0) return 'You can try again now.'
  return `Try again in ${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}.`
}
