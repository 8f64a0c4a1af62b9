import { useState } from 'react'
import { useCountdown } from './use-countdown.ts'

/** What a form says; a rate limit also says in how many seconds the next attempt is allowed. */
export type FormMessage = string | { readonly text: string; readonly retry_after: number }

/** A text with the service's `retry_after`, in seconds, if a rate limit refused. */
export function formMessage(text: string, beside: { readonly retry_after?: unknown } = {}): FormMessage {
  const { retry_after } = beside
  return typeof retry_after === 'number' ? { text, retry_after } : text
}

/** A message; one of a rate limit counts down. */
export function WithClock({ message }: { message: FormMessage }) {
  if (typeof message === 'string') return message
  return (
    <>
      {/* Announced once, in the service's words: a countdown would be announced every second. */}
      <span className="sr-only">{message.text}</span>
      <span aria-hidden="true">
        Too many attempts. <Clock key={message.text} seconds={message.retry_after} />
      </span>
    </>
  )
}

/** Counts from when the response arrived, because the clocks of browser and service may differ. */
function Clock({ seconds }: { seconds: number }) {
  const [until] = useState(() => Date.now() + seconds * 1000)
  const left = useCountdown(until)
  if (left === 0) return 'You can try again now.'
  return `Try again in ${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}.`
}
