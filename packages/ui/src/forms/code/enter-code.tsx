import { serverNow, textIn } from '@ostiary/react/flows'
import { type ReactNode, type SubmitEvent, useEffect, useId, useRef, useState } from 'react'
import { readSettings } from '../../api/env.ts'
import { isWholeCode, parseCode } from '../../flow/rules.ts'
import { ActionButton } from '../../ui/button.tsx'
import { CodeField } from '../../ui/form/fields.tsx'
import { FormError, useCountdown } from '../../ui/form/form-error.tsx'
import { usePageTitle } from '../../ui/page.tsx'
import { codeTexts, demoMailTexts } from './texts.ts'
import { addressOf, type CodeFailure, type CodeFlow, type MailedCode, waitOf } from './use-mailed-code.ts'

type Work = Pick<MailedCode<CodeFlow>, 'submitCode' | 'sendCode'>

interface EnterCodeProps {
  title: string
  flow: CodeFlow
  /** From a link, unless the flow has it. */
  code?: string | undefined
  work: Work
  button: readonly [string, string]
  children: ReactNode
}

/** One field for the whole code; the sixth digit sends it. */
export function EnterCode({ title, flow, code: linked, work, button, children }: EnterCodeProps) {
  const field = useRef<HTMLInputElement>(null)
  const problem = useId()
  const entry = useCodeEntry(linked ?? textIn(flow, 'code'), work, () => select(field.current))
  const { code, failure, missing, isBusy } = entry
  usePageTitle(title)
  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    if (failure || missing) select(field.current)
  }, [failure, missing])
  const address = addressOf(flow)

  return (
    <>
      <div className="grid gap-5">
        <form
          noValidate
          method="post"
          data-busy={isBusy || undefined}
          onSubmit={entry.onSubmit}
          className="grid gap-5"
        >
          <CodeField
            ref={field}
            id="code"
            name="code"
            value={code}
            onChange={(event) => entry.type(event.target.value)}
            error={missing}
            wrongBy={failure?.wrongCode && problem}
            hint={codeTexts.hint}
          />
          <FormError id={problem} retry={failure?.canRetry ? 'submit' : undefined}>
            {failure?.message}
          </FormError>
          <ActionButton type="submit" full words={button} isBusy={isBusy} />
        </form>
        <div className="grid gap-2 border-t border-line pt-4 text-14 text-muted">
          {address && <ResendCode flow={flow} address={address} onSend={entry.send} />}
          <p>
            <span>{codeTexts.wrongAddress}</span> {children}
          </p>
        </div>
      </div>
      <DemoMailHint />
    </>
  )
}

function select(field: HTMLInputElement | null): void {
  field?.focus()
  field?.select()
}

function useCodeEntry(filledIn = '', { submitCode, sendCode }: Work, focus: () => void) {
  // A code from a link waits for the button, because mail scanners follow links too.
  const [code, setCode] = useState(parseCode(filledIn))
  const [failure, setFailure] = useState<CodeFailure>()
  const [missing, setMissing] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const sentByItself = useRef<string>(undefined)

  async function submit(whole: string) {
    setBusy(true)
    setFailure(await submitCode(whole))
    setBusy(false)
  }

  function type(text: string) {
    const next = parseCode(text)
    setCode(next)
    setMissing(undefined)
    if (!isWholeCode(next) || isBusy || sentByItself.current === next) return
    sentByItself.current = next
    void submit(next)
  }

  function onSubmit(event: SubmitEvent) {
    event.preventDefault()
    if (isBusy) return
    // Sending the same code again would use up another attempt.
    if (code !== '' && code === failure?.wrongCode) return focus()
    if (isWholeCode(code)) return void submit(code)
    setFailure(undefined)
    setMissing(code === '' ? codeTexts.empty : codeTexts.incomplete)
  }

  async function send(email: string) {
    const unsent = await sendCode(email)
    focus()
    const wait = unsent && waitOf(unsent)
    // The notice explains a limit, and the button counts down.
    setFailure(wait === undefined ? unsent : undefined)
    // Without a new code the typed one is still valid.
    if (unsent) return wait
    setCode('')
    sentByItself.current = undefined
    return undefined
  }

  return { code, failure, missing, isBusy, type, onSubmit, send }
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
