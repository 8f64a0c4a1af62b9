import { useEffect, useRef } from 'react'
import { credentialsSchema } from '../flow/credentials-schema.ts'
import { z } from '../schema.ts'
import { codeTexts as texts } from '../texts/mailed-code.ts'
import { Button } from '../ui/button.tsx'
import { EmailField } from '../ui/email-field.tsx'
import { FormError } from '../ui/form-error.tsx'
import { usePageTitle } from '../ui/page.tsx'
import { type Failure, useForm } from '../ui/use-form.ts'
import type { FormMessage } from '../ui/wait.tsx'

const schema = z.pick(credentialsSchema, { email: true })

interface AskAddressProps {
  title: string
  /** The address, if known. */
  email?: string | undefined
  error?: FormMessage | undefined
  /** It replaces a form that had the focus. */
  takesFocus: boolean
  sendCode(email: string): Promise<Failure | undefined>
}

/** The flow has sent nothing yet: it needs an address. */
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
