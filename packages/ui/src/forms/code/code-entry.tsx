import type { AnyFlow } from '@ostiary/react'
import { fieldErrorTexts, formErrorTexts } from '@ostiary/react/internal'
import { type ReactNode, type RefObject, type SubmitEvent, useEffect, useId, useRef, useState } from 'react'
import { isWholeCode, parseCode } from '../../flow/rules.ts'
import { ruleTexts } from '../../texts/fields.ts'
import { CodeField, Field } from '../../ui/form/fields.tsx'
import { FormError } from '../../ui/form/form-error.tsx'
import type { Failure } from '../../ui/form/use-form.ts'

/** `wrongCode`: sending it again would only use up an attempt. */
export type CodeFailure = Failure & { readonly wrongCode?: string | undefined }

export function refusalOf(flow: AnyFlow, field: string, code: string, failed: string): CodeFailure {
  const message = fieldErrorTexts(flow, field) ?? formErrorTexts(flow) ?? failed
  // A rate limit has not checked the code.
  return { message, canRetry: false, wrongCode: typeof message === 'string' ? code : undefined }
}

interface CodeEntryOptions {
  submit(code: string): Promise<CodeFailure | undefined>
  /** From a link. */
  filledIn?: string | undefined
  empty: string
  /** Without it, the code may be any text, and only the button sends it. */
  incomplete?: string
}

/** For a code of an authenticator app. */
export function appCodeWords() {
  return { empty: ruleTexts.appCode, incomplete: ruleTexts.appCode }
}

type CodeEntry = ReturnType<typeof useCodeEntry>

/** A code of six digits, which the last digit sends, or of any text. */
export function useCodeEntry({ submit, filledIn = '', empty, incomplete }: CodeEntryOptions) {
  const field = useRef<HTMLInputElement>(null)
  const hasDigits = incomplete !== undefined
  const parse = hasDigits ? parseCode : String
  // A code from a link waits for the button, because mail scanners follow links too.
  const [code, setCode] = useState(parse(filledIn))
  const [failure, setFailure] = useState<CodeFailure>()
  const [missing, setMissing] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const sentByItself = useRef<string>(undefined)
  const focus = () => select(field)
  useEffect(() => {
    if (failure || missing) select(field)
  }, [failure, missing])

  async function send(whole: string) {
    setBusy(true)
    setFailure(await submit(whole))
    setBusy(false)
  }

  function type(text: string) {
    const next = parse(text)
    setCode(next)
    setMissing((known) => known && '')
    const isWhole = hasDigits && isWholeCode(next)
    if (!isWhole || isBusy || sentByItself.current === next) return
    sentByItself.current = next
    void send(next)
  }

  function onSubmit(event: SubmitEvent) {
    event.preventDefault()
    if (isBusy) return
    const typed = code.trim()
    // Sending the same code again would use up another attempt.
    if (typed !== '' && typed === failure?.wrongCode) return focus()
    if (hasDigits ? isWholeCode(typed) : typed !== '') return void send(typed)
    setFailure(undefined)
    setMissing(typed === '' ? empty : incomplete)
  }

  function clear() {
    setCode('')
    sentByItself.current = undefined
  }

  return { hasDigits, field, code, failure, setFailure, missing, isBusy, type, onSubmit, focus, clear }
}

function select({ current }: RefObject<HTMLInputElement | null>): void {
  current?.focus()
  current?.select()
}

interface CodeEntryFormProps {
  entry: CodeEntry
  id: string
  /** Names the field of a code that has other characters than digits. */
  label?: string
  hint?: string | undefined
  takesFocus?: boolean
  /** The button. */
  children: ReactNode
}

/** A wrong code is said above the button, and its field is marked. */
export function CodeEntryForm({
  entry,
  id,
  label = '',
  hint,
  takesFocus = false,
  children,
}: CodeEntryFormProps) {
  const problem = useId()
  const { hasDigits, field, code, failure, missing, isBusy } = entry
  const shouldFocus = useRef(takesFocus)
  useEffect(() => {
    if (shouldFocus.current) field.current?.focus()
  }, [field])
  const props = {
    ref: field,
    id,
    name: 'code',
    value: code,
    onChange: ({ target }: { target: HTMLInputElement }) => entry.type(target.value),
    error: missing,
    errorMessageId: failure?.wrongCode === undefined ? undefined : problem,
    hint,
  }
  return (
    <form
      noValidate
      method="post"
      data-busy={isBusy || undefined}
      onSubmit={entry.onSubmit}
      className="grid gap-5"
    >
      {hasDigits ? (
        <CodeField {...props} />
      ) : (
        <Field {...props} label={label} autoComplete="off" autoCapitalize="none" spellCheck={false} />
      )}
      <FormError id={problem} retry={failure?.canRetry ? 'submit' : undefined}>
        {failure?.message}
      </FormError>
      {children}
    </form>
  )
}
