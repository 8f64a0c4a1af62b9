import { useState } from 'react'
import { useCountdown } from './use-countdown.ts'

/** What a form says; a refusal by a limit also says after how many seconds the next attempt is allowed. */
export type FormMessage = string | { readonly text: string; readonly retry_after: number }

/** The message of a text and what the service says beside it: `retry_after`, in seconds, of a refusal by a limit. */
export function formMessage(text: string, beside: { readonly retry_after?: unknown } = {}): FormMessage {
  const { retry_after } = beside
  return typeof retry_after === 'number' ? { text, retry_after } : text
}

/** A message; one that says how long to wait has a clock that runs until then. */
export function WithClock({ message }: { message: FormMessage }) {
  if (typeof message === 'string') return message
  return (
    <>
      {/* Announced once, as the service says it: a clock that speaks each second cannot be listened to. */}
      <span className="sr-only">{message.text}</span>
      <span aria-hidden="true">
        Too many attempts. <Clock key={message.text} seconds={message.retry_after} />
      </span>
    </>
  )
}

/** Counts from when the answer came, because the clocks of user and service may differ. */
function Clock({ seconds }: { seconds: number }) {
  const [until] = useState(() => Date.now() + seconds * 1000)
  const left = useCountdown(until)
  if (left === 0) return 'You can try again now.'
  return `Try again in ${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}.`
}
