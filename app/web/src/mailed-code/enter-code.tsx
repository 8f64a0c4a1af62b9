import { type ReactNode, type SubmitEvent, useEffect, useId, useRef, useState } from 'react'
import { findInput } from '../flow/inputs.ts'
import { codeTexts as texts } from '../texts/mailed-code.ts'
import { Button } from '../ui/button.tsx'
import { CodeField } from '../ui/code-field.tsx'
import { FormError } from '../ui/form-error.tsx'
import { usePageTitle } from '../ui/page.tsx'
import type { Failure } from '../ui/use-form.ts'
import { DemoMailHint } from './demo-mail-hint.tsx'
import { isWholeCode, parseCode } from './parse-code.ts'
import { ResendCode } from './resend-code.tsx'
import { addressOf, type CodeFlow, type MailedCode, waitOf } from './use-mailed-code.ts'

type Work = Pick<MailedCode<CodeFlow>, 'submitCode' | 'sendCode'>

interface EnterCodeProps {
  title: string
  flow: CodeFlow
  work: Work
  /** What the button says, and what it says while it works. */
  button: readonly [string, string]
  /** The link for a mistyped address. */
  children: ReactNode
}

/** One field for the whole code; the sixth digit sends it. */
export function EnterCode({ title, flow, work, button, children }: EnterCodeProps) {
  const field = useRef<HTMLInputElement>(null)
  const problem = useId()
  const entry = useCodeEntry(flow, work)
  const { code, failure, missing, isWrong, isBusy } = entry
  usePageTitle(title, failure !== undefined || missing !== undefined)
  // The element that had the focus is gone.
  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    if (!failure && !missing) return
    field.current?.focus()
    field.current?.select()
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
            pattern="[0-9]*"
            value={code}
            onChange={(event) => entry.type(event.target.value)}
            error={missing}
            wrongBy={isWrong ? problem : undefined}
            hint={texts.hint}
          />
          <FormError id={problem} retry={failure?.canRetry ? 'submit' : undefined}>
            {failure?.message}
          </FormError>
          <Button type="submit" full busy={isBusy ? button[1] : undefined}>
            {button[0]}
          </Button>
        </form>
        {address && <ResendCode flow={flow} address={address} onSend={entry.send} />}
        <p className="text-14 text-muted">
          {texts.wrongAddress} {children}
        </p>
      </div>
      <DemoMailHint />
    </>
  )
}

function useCodeEntry(flow: CodeFlow, { submitCode, sendCode }: Work) {
  const filledIn = findInput(flow, 'code')?.value as unknown
  // A code that a link filled in waits for the button: mail scanners follow links too.
  const [code, setCode] = useState(typeof filledIn === 'string' ? parseCode(filledIn) : '')
  const [failure, setFailure] = useState<Failure>()
  const [isWrong, setWrong] = useState(false)
  const [missing, setMissing] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const sentByItself = useRef<string>(undefined)

  async function submit(whole: string) {
    setBusy(true)
    const refused = await submitCode(whole)
    setFailure(refused)
    setWrong(refused !== undefined && !refused.canRetry)
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
    if (isWholeCode(code)) void submit(code)
    else setMissing(code === '' ? texts.empty : texts.incomplete)
  }

  async function send(email: string) {
    const unsent = await sendCode(email)
    const wait = unsent && waitOf(unsent)
    // The notice explains a limit, and the button counts down.
    setFailure(wait === undefined ? unsent : undefined)
    setWrong(false)
    // Without a new code, the one that is being typed is still the one to enter.
    if (unsent) return wait
    setCode('')
    sentByItself.current = undefined
    return undefined
  }

  return { code, failure, missing, isWrong, isBusy, type, onSubmit, send }
}
