import type { FlowHandle } from '@ostiary/react'
import { formErrorTexts } from '@ostiary/react/internal'
import { useEffect, useRef } from 'react'
import { outageOf, retryOf } from '../../flow/failures.ts'
import { useTypedAddress } from '../../flow/return-target.tsx'
import { credentialsSchema } from '../../flow/rules.ts'
import { Button } from '../../ui/button.tsx'
import { EmailField } from '../../ui/form/fields.tsx'
import { FormError } from '../../ui/form/form-error.tsx'
import { z } from '../../ui/form/schema.ts'
import { type Failure, useForm } from '../../ui/form/use-form.ts'
import { codeTexts as texts } from './texts.ts'
import type { CodeFlow } from './use-mailed-code.ts'

const schema = z.pick(credentialsSchema, { email: true })

interface AskAddressProps {
  email: string | undefined
  flowForm: FlowHandle<CodeFlow>
  /** It replaces a form that had the focus. */
  takesFocus: boolean
  sendCode(email: string): Promise<Failure | undefined>
}

/** Usable before the flow arrives. */
export function AskAddress({ email, flowForm, takesFocus, sendCode }: AskAddressProps) {
  const form = useForm(schema, { email: email ?? '' })
  const keepAddress = useTypedAddress(form)
  const { flow, isRenewed } = flowForm
  // The notice says why a flow was replaced.
  const refusal = flow && !isRenewed && !form.wasSubmitted ? formErrorTexts(flow) : undefined
  const focus = useRef(takesFocus ? form.focus : undefined)
  useEffect(() => focus.current?.('email'), [])

  async function send({ email }: { email: string }) {
    const failure = await sendCode(email)
    if (failure) form.fail(failure.message, failure.canRetry)
  }

  return (
    <form {...form.props(send)} className="grid gap-5">
      <EmailField {...form.field('email')} id="email" onBlur={keepAddress} />
      <FormError retry={retryOf(form, flowForm)}>
        {form.failure?.message ?? outageOf(flowForm) ?? refusal}
      </FormError>
      <Button type="submit" full busy={form.isSubmitting ? texts.sending : undefined}>
        {texts.send}
      </Button>
    </form>
  )
}
