import type { UpdateSettingsFlowBody } from '@ory/client-fetch'
import type { ReactNode } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { fieldErrorTexts } from '../../flow/messages.ts'
import { UNREACHABLE } from '../../flow/sentences.ts'
import { schemaResolver } from '../../schema-resolver.ts'
import { Button } from '../../ui/button.tsx'
import { FormError, type Retry } from '../../ui/form-error.tsx'
import { type SaveResult, type SettingsUse, useSave } from './use-save.ts'

/** Both forms here have one field. */
export interface OneValue {
  value: string
}

interface SaveFormProps {
  settings: SettingsUse
  schema: Parameters<typeof schemaResolver<OneValue>>[0]
  initial?: string
  /** The flow's name of the field. */
  field: string
  button: readonly [string, string]
  build(value: string, csrf_token: string): UpdateSettingsFlowBody
  onSend?(): void
  onSaved(): void
  onConfirm?: (() => string) | undefined
  children(form: UseFormReturn<OneValue>, error: string | undefined): ReactNode
}

/** One change of the settings: a field, its errors, and the button. */
export function SaveForm({ settings, schema, initial = '', field, button, children, ...on }: SaveFormProps) {
  const form = useForm<OneValue>({ resolver: schemaResolver(schema), defaultValues: { value: initial } })
  const save = useSave(settings)
  const { errors, isSubmitting, submitCount } = form.formState
  const flow = settings.opened?.kind === 'flow' ? settings.opened.flow : undefined
  const serverError = errors.root?.serverError

  function show({ message, of, canRetry }: SaveResult & { kind: 'failed' }) {
    if (of === 'field') form.setError('value', { message }, { shouldFocus: true })
    else form.setError('root.serverError', { message, type: canRetry ? 'retry' : 'server' })
  }

  const submit = form.handleSubmit(async ({ value }) => {
    on.onSend?.()
    const { onConfirm } = on
    const result = await save({ field, build: (csrf_token) => on.build(value, csrf_token), onConfirm })
    if (result.kind === 'saved') {
      form.reset({ value: initial === '' ? '' : value })
      on.onSaved()
    }
    if (result.kind === 'failed') show(result)
  })

  // Who confirmed who they are comes back to a form that the service has answered meanwhile.
  const before = submitCount === 0 && flow ? fieldErrorTexts(flow, field) : undefined
  const away = settings.isUnreachable && submitCount === 0
  const retry: Retry = away
    ? () => void settings.open()
    : serverError?.type === 'retry'
      ? 'submit'
      : undefined
  return (
    <form noValidate method="post" onSubmit={(event) => void submit(event)} className="grid gap-5">
      {children(form, errors.value?.message ?? before)}
      <FormError retry={retry}>{serverError?.message ?? (away ? UNREACHABLE : undefined)}</FormError>
      <Button type="submit" full busy={isSubmitting ? button[1] : undefined}>
        {button[0]}
      </Button>
    </form>
  )
}
