import type { FormMessage } from '@ostiary/react'
import { useEffect, useRef } from 'react'
import { credentialsSchema } from '../../flow/rules.ts'
import { failureTexts } from '../../texts/failures.ts'
import { Button } from '../../ui/button.tsx'
import { EmailField } from '../../ui/form/fields.tsx'
import { FormError } from '../../ui/form/form-error.tsx'
import { z } from '../../ui/form/schema.ts'
import { type Failure, useForm } from '../../ui/form/use-form.ts'
import { usePageTitle } from '../../ui/page.tsx'
import { codeTexts as texts } from './texts.ts'

const schema = z.pick(credentialsSchema, { email: true })

interface AskAddressProps {
  title: string
  email?: string
  error?: FormMessage
  /** It replaces a form that had the focus. */
  takesFocus: boolean
  sendCode(email: string): Promise<Failure | undefined>
}

export function AskAddress({ title, email, error, takesFocus, sendCode }: AskAddressProps) {
  const form = useForm(schema, { email: email ?? '' })
  usePageTitle(title, form.hasError || (!form.wasSubmitted && error !== undefined))
  const focus = useRef(takesFocus ? form.focus : undefined)
  useEffect(() => focus.current?.('email'), [])

  async function send({ email }: { email: string }) {
    const failure = await sendCode(email)
    if (failure) form.fail(failure.message, failure.canRetry)
  }

  return (
    <form {...form.props(send)} className="grid gap-5">
      <EmailField {...form.field('email')} id="email" />
      <FormError retry={form.failure?.canRetry ? 'submit' : undefined}>
        {form.failure?.message ?? (form.wasSubmitted ? undefined : error)}
      </FormError>
      <Button type="submit" full busy={form.isSubmitting ? texts.sending : undefined}>
        {texts.send}
      </Button>
    </form>
  )
}

interface WaitingProps {
  title: string
  isUnreachable: boolean
  onRetry(): void
}

export function Waiting({ title, isUnreachable, onRetry }: WaitingProps) {
  usePageTitle(title)
  return <FormError retry={onRetry}>{isUnreachable ? failureTexts.unreachable : undefined}</FormError>
}
