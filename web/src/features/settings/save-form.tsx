import type { UpdateSettingsFlowBody } from '@ory/client-fetch'
import type { ReactNode } from 'react'
import { fieldErrorTexts } from '../../flow/messages.ts'
import { UNREACHABLE } from '../../flow/sentences.ts'
import type { z } from '../../schema.ts'
import { Button } from '../../ui/button.tsx'
import { FormError, type Retry } from '../../ui/form-error.tsx'
import { type FormUse, useForm } from '../../ui/use-form.ts'
import { type SaveResult, type SettingsUse, useSave } from './use-save.ts'

/** Both forms here have one field. */
type OneValue = { value: string }

interface SaveFormProps {
  settings: SettingsUse
  schema: z.ZodMiniType<OneValue>
  initial?: string
  /** The flow's name of the field. */
  field: string
  button: readonly [string, string]
  build(value: string, csrf_token: string): UpdateSettingsFlowBody
  onSend?(): void
  onSaved(): void
  onConfirm?: (() => string) | undefined
  children(form: FormUse<OneValue>, error: string | undefined): ReactNode
}

/** One change of the settings: a field, its errors, and the button. */
export function SaveForm({ settings, schema, initial = '', field, button, children, ...on }: SaveFormProps) {
  const form = useForm(schema, { value: initial })
  const save = useSave(settings)
  const flow = settings.opened?.kind === 'flow' ? settings.opened.flow : undefined

  function show({ message, of, canRetry }: SaveResult & { kind: 'failed' }) {
    if (of === 'field') form.refuse({ value: message })
    else form.fail(message, canRetry)
  }

  async function send({ value }: OneValue) {
    on.onSend?.()
    const { onConfirm } = on
    const result = await save({ field, build: (csrf_token) => on.build(value, csrf_token), onConfirm })
    if (result.kind === 'saved') {
      form.write('value', initial === '' ? '' : value)
      on.onSaved()
    }
    if (result.kind === 'failed') show(result)
  }

  // Who confirmed who they are comes back to a form that the service has answered meanwhile.
  const before = !form.wasSubmitted && flow ? fieldErrorTexts(flow, field) : undefined
  const away = settings.isUnreachable && !form.wasSubmitted
  const retry: Retry = away ? () => void settings.open() : form.failure?.canRetry ? 'submit' : undefined
  return (
    <form {...form.props(send)} className="grid gap-5">
      {children(form, form.errors.value ?? before)}
      <FormError retry={retry}>{form.failure?.message ?? (away ? UNREACHABLE : undefined)}</FormError>
      <Button type="submit" full busy={form.isSubmitting ? button[1] : undefined}>
        {button[0]}
      </Button>
    </form>
  )
}
