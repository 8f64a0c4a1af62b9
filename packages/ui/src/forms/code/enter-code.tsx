import { serverNow, textIn } from '@ostiary/react/internal'
import { type ReactNode, useState } from 'react'
import { readSettings } from '../../api/env.ts'
import { ActionButton } from '../../ui/button.tsx'
import { useCountdown } from '../../ui/form/form-error.tsx'
import { CodeEntryForm, useCodeEntry } from './code-entry.tsx'
import { codeTexts, demoMailTexts } from './texts.ts'
import { addressOf, type CodeFlow, type MailedCode, waitOf } from './use-mailed-code.ts'

interface EnterCodeProps {
  flow: CodeFlow
  /** From a link, unless the flow has it. */
  code?: string | undefined
  mailedCode: Pick<MailedCode<CodeFlow>, 'submitCode' | 'sendCode'>
  /** By an operator, who chose how long the code works. */
  isHandedOver?: boolean
  button: readonly [string, string]
  children: ReactNode
}

/** One field for the whole code; the sixth digit sends it. */
export function EnterCode({
  flow,
  code: linked,
  mailedCode,
  isHandedOver = false,
  button,
  children,
}: EnterCodeProps) {
  const { submitCode, sendCode } = mailedCode
  const filledIn = linked ?? textIn(flow, 'code')
  const { empty, incomplete } = codeTexts
  const entry = useCodeEntry({ submit: submitCode, filledIn, empty, incomplete })
  const address = addressOf(flow)

  async function resend(email: string) {
    const unsent = await sendCode(email)
    entry.focus()
    const wait = unsent && waitOf(unsent)
    // The notice explains a limit, and the button counts down.
    entry.setFailure(wait === undefined ? unsent : undefined)
    // Without a new code the typed one is still valid.
    if (unsent) return wait
    entry.clear()
    return undefined
  }

  return (
    <>
      <div className="grid gap-5">
        <CodeEntryForm entry={entry} id="code" hint={isHandedOver ? undefined : codeTexts.hint} takesFocus>
          <ActionButton type="submit" full words={button} isBusy={entry.isBusy} />
        </CodeEntryForm>
        <div className="grid gap-2 border-t border-line pt-4 text-14 text-muted">
          {address && <ResendCode flow={flow} address={address} onSend={resend} />}
          <p>
            <span>{codeTexts.wrongAddress}</span> {children}
          </p>
        </div>
      </div>
      <DemoMailHint />
    </>
  )
}

/** Milliseconds before another code can be requested. */
const RESEND_WAIT = 30_000

interface ResendCodeProps {
  flow: CodeFlow
  address: string
  /** Resolves to the seconds to wait after a rate limit. */
  onSend(address: string): Promise<number | undefined>
}

/** Always shown; disabled while it counts down. */
function ResendCode({ flow, address, onSend }: ResendCodeProps) {
  const [next, setNext] = useState(() => Date.now() + RESEND_WAIT - ageOf(flow))
  const [isBusy, setBusy] = useState(false)
  const seconds = useCountdown(next)

  async function send() {
    if (isBusy || seconds > 0) return
    setBusy(true)
    const wait = await onSend(address)
    setNext(Date.now() + (wait === undefined ? RESEND_WAIT : wait * 1000))
    setBusy(false)
  }

  return (
    <p>
      <span>{codeTexts.spam}</span>{' '}
      <button
        type="button"
        aria-disabled={isBusy || seconds > 0}
        onClick={() => void send()}
        className="link inline-block tabular-nums aria-disabled:text-muted aria-disabled:no-underline"
      >
        {isBusy ? codeTexts.sending : seconds > 0 ? codeTexts.resendIn(seconds) : codeTexts.resend}
      </button>
    </p>
  )
}

/** Milliseconds since the service opened it. */
function ageOf({ issued_at }: CodeFlow): number {
  return Math.max(0, serverNow() - (issued_at?.getTime() ?? 0))
}

function DemoMailHint() {
  if (!readSettings().demo) return null
  return (
    <p data-tone="amber" className="notice">
      <span>{demoMailTexts.before}</span>{' '}
      <a
        href="/demo/inbox"
        target="_blank"
        rel="noopener"
        className="py-3 font-medium underline underline-offset-3"
      >
        {demoMailTexts.inbox}
      </a>
    </p>
  )
}
