import { useForm } from 'react-hook-form'
import { credentialsSchema } from '../../flow/credentials-schema.ts'
import { z } from '../../schema.ts'
import { schemaResolver } from '../../schema-resolver.ts'
import { Button } from '../../ui/button.tsx'
import { EmailField } from '../../ui/email-field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { usePageTitle } from '../../ui/page.tsx'
import type { Failure } from './use-mailed-code.ts'

const schema = z.pick(credentialsSchema, { email: true })

interface AskAddressProps {
  title: string
  /** The address as far as it is known already. */
  email?: string | undefined
  error?: string | undefined
  sendCode(email: string): Promise<Failure | undefined>
}

/** The flow has sent nothing yet: it needs an address first. */
export function AskAddress({ title, email, error, sendCode }: AskAddressProps) {
  const form = useForm<{ email: string }>({
    resolver: schemaResolver(schema),
    ...(email && { defaultValues: { email } }),
  })
  const { errors, isSubmitting, submitCount } = form.formState
  usePageTitle(title, errors.email !== undefined || errors.root !== undefined)

  const submit = form.handleSubmit(async ({ email }) => {
    const failure = await sendCode(email)
    if (!failure) return
    form.setError('root.serverError', {
      message: failure.message,
      type: failure.canRetry ? 'retry' : 'server',
    })
  })

  const serverError = errors.root?.serverError
  return (
    <form noValidate method="post" onSubmit={(event) => void submit(event)} className="grid gap-5">
      <EmailField {...form.register('email')} error={errors.email?.message} />
      <FormError retry={serverError?.type === 'retry' ? 'submit' : undefined}>
        {serverError?.message ?? (submitCount === 0 ? error : undefined)}
      </FormError>
      <Button type="submit" full busy={isSubmitting ? 'Sending…' : undefined}>
        Send me a code
      </Button>
    </form>
  )
}
