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
  /** The address as far as it is known already. */
  email?: string | undefined
  error?: FormMessage | undefined
  /** It comes in place of what the user was doing. */
  takesFocus: boolean
  sendCode(email: string): Promise<Failure | undefined>
}

/** The flow has sent nothing yet: it needs an address first. */
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
