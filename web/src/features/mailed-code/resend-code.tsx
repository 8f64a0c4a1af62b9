import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { useCountdown } from './use-countdown.ts'
import type { CodeFlow } from './use-mailed-code.ts'

/** Milliseconds before a code can be asked for again: mails need a moment. */
const RESEND_WAIT = 30_000

interface ResendCodeProps {
  flow: CodeFlow
  address: string
  onSend(address: string): Promise<void>
}

/** Always there; while it counts down it says how long, and does nothing. */
export function ResendCode({ flow, address, onSend }: ResendCodeProps) {
  const [sentAt, setSentAt] = useState(() => Math.min(flow.issued_at?.getTime() ?? 0, Date.now()))
  const [isBusy, setBusy] = useState(false)
  const seconds = useCountdown(sentAt + RESEND_WAIT)

  async function send() {
    if (seconds > 0) return
    setBusy(true)
    await onSend(address)
    setSentAt(Date.now())
    setBusy(false)
  }

  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 border-t border-line pt-3 text-14 text-muted">
      <p>Not received it? Look into the spam folder too.</p>
      <div className="-ml-4">
        <Button
          look="quiet"
          busy={isBusy ? 'Sending…' : undefined}
          aria-disabled={seconds > 0}
          onClick={() => void send()}
        >
          <span className="text-14 tabular-nums">
            {seconds > 0 ? `New code in ${seconds} s` : 'Send a new code'}
          </span>
        </Button>
      </div>
    </div>
  )
}
