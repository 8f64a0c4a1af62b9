import { useState } from 'react'
import { codeTexts as texts } from '../texts/mailed-code.ts'
import { Button } from '../ui/button.tsx'
import { useCountdown } from '../ui/use-countdown.ts'
import type { CodeFlow } from './use-mailed-code.ts'

/** Milliseconds before another code can be requested: emails take a moment. */
const RESEND_WAIT = 30_000

interface ResendCodeProps {
  flow: CodeFlow
  address: string
  /** Resolves to the seconds to wait, if a limit has refused. */
  onSend(address: string): Promise<number | undefined>
}

/** Always shown; disabled while it counts down. */
export function ResendCode({ flow, address, onSend }: ResendCodeProps) {
  const [next, setNext] = useState(() => Math.min(flow.issued_at?.getTime() ?? 0, Date.now()) + RESEND_WAIT)
  const [isBusy, setBusy] = useState(false)
  const seconds = useCountdown(next)

  async function send() {
    if (seconds > 0) return
    setBusy(true)
    const wait = await onSend(address)
    setNext(Date.now() + (wait === undefined ? RESEND_WAIT : wait * 1000))
    setBusy(false)
  }

  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 border-t border-line pt-3 text-14 text-muted">
      <p>{texts.spam}</p>
      <div className="-ms-4">
        <Button
          look="quiet"
          busy={isBusy ? texts.sending : undefined}
          aria-disabled={seconds > 0}
          onClick={() => void send()}
        >
          <span className="text-14 tabular-nums">{seconds > 0 ? texts.resendIn(seconds) : texts.resend}</span>
        </Button>
      </div>
    </div>
  )
}
