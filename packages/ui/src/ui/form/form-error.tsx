import type { FormMessage } from '@ostiary/react'
import { useEffect, useState } from 'react'
import { layoutTexts } from '../../texts/layout.ts'
import { useErrorInTitle } from '../page.tsx'

/** How to retry: submit again, a call, or not at all. */
export type Retry = 'submit' | (() => void) | undefined

interface FormErrorProps {
  id?: string
  children?: FormMessage | null | undefined
  retry?: Retry
}

/**
 * Always rendered, so that screen readers announce its text. Invisible while the form is busy, so that the
 * same error is announced again.
 *
 * @example <FormError>{form.failure?.message}</FormError>
 */
export function FormError({ id, children, retry }: FormErrorProps) {
  useErrorInTitle(Boolean(children))
  return (
    <div id={id} role="alert" data-tone="danger" className={children ? 'notice' : 'sr-only'}>
      {children && (
        <>
          <p className="whitespace-pre-line">
            <WithClock message={children} />
          </p>
          {retry && <TryAgain retry={retry} />}
        </>
      )}
    </div>
  )
}

function TryAgain({ retry }: { retry: NonNullable<Retry> }) {
  const action =
    retry === 'submit' ? { type: 'submit' as const } : { type: 'button' as const, onClick: retry }
  return (
    <button {...action} className="visible link">
      {layoutTexts.again}
    </button>
  )
}

/** A rate limit counts down. */
export function WithClock({ message }: { message: FormMessage }) {
  if (typeof message === 'string') return <span>{message}</span>
  return (
    <>
      {/* Announced once. A countdown would be announced every second. */}
      <span className="sr-only">{message.text}</span>
      <span aria-hidden="true">
        <span>{layoutTexts.tooManyAttempts}</span> <Clock key={message.text} seconds={message.retry_after} />
      </span>
    </>
  )
}

/** Counts from the response, because clocks may differ. */
function Clock({ seconds }: { seconds: number }) {
  const [until] = useState(() => Date.now() + seconds * 1000)
  const secondsLeft = useCountdown(until)
  const time = `${Math.floor(secondsLeft / 60)}:${String(secondsLeft % 60).padStart(2, '0')}`
  return <span>{secondsLeft === 0 ? layoutTexts.againNow : layoutTexts.againIn(time)}</span>
}

/** Whole seconds until a moment in milliseconds since the epoch. */
export function useCountdown(until: number): number {
  const [now, setNow] = useState(() => Date.now())
  const secondsLeft = Math.max(0, Math.ceil((until - now) / 1000))
  const isOver = secondsLeft === 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new moment starts the clock again
  useEffect(() => {
    setNow(Date.now())
    if (isOver) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [until, isOver])
  return secondsLeft
}
