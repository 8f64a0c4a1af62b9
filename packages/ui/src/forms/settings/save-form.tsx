import type { SettingsFlow } from '@ory/client-fetch'
import type { FieldTexts } from '@ostiary/react'
import { fieldErrorTexts } from '@ostiary/react/internal'
import type { ComponentProps, ReactNode } from 'react'
import { failureTexts } from '../../texts/failures.ts'
import { layoutTexts } from '../../texts/layout.ts'
import { ActionButton, Button } from '../../ui/button.tsx'
import { FormError, type Retry } from '../../ui/form/form-error.tsx'
import { z } from '../../ui/form/schema.ts'
import { type FormState, useForm } from '../../ui/form/use-form.ts'
import { useDraft } from './page-memory.ts'
import { type SaveFailure, type SettingsFlowForm, useSave } from './use-settings.ts'

type OneValue = { value: string }

export interface SaveFormProps {
  settings: SettingsFlowForm
  rule?: z.ZodMiniType<string>
  initial?: string
  method: 'profile' | 'password'
  field: string
  button: readonly [string, string]
  /** Restores typed text after a new login. Not for secrets. */
  keeps?: boolean
  /** As wide as the form, for the only action of a page. */
  full?: boolean
  /** Other fields of the form. */
  others?(): FieldTexts
  onSaved(flow: SettingsFlow): void
  onCancel?(): void
  children(form: FormState<OneValue>, error: string | undefined): ReactNode
}

/** A box that is not ticked has no value. */
const anyText = z._default(z.string(), '')

export function SaveForm({
  settings,
  method,
  field,
  button,
  full = false,
  keeps = false,
  children,
  ...on
}: SaveFormProps) {
  const { rule = anyText, initial = '' } = on
  const { draft, keep, drop } = useDraft(keeps ? field : undefined)
  const form = useForm<OneValue>(z.object({ value: rule }), { value: draft ?? initial })
  const save = useSave(settings)
  const { flow } = settings

  function show(failure: SaveFailure) {
    if (failure.of === 'field') form.refuse({ value: failure.message })
    else form.fail(failure.message, failure.canRetry)
  }

  async function send({ value }: OneValue) {
    const result = await save({ method, field, typed: { ...on.others?.(), [field]: value } })
    if (result.kind === 'failed') show(result)
    if (result.kind === 'signed-out') {
      form.fail(result.message)
      keep(value)
    }
    if (result.kind !== 'saved') return
    drop()
    form.write('value', initial === '' ? '' : value)
    on.onSaved(result.flow)
  }

  // After a redirect to confirm, the flow holds the answer.
  const before = !form.wasSubmitted && flow ? fieldErrorTexts(flow, field) : undefined
  const away = settings.isUnreachable && !form.wasSubmitted
  const retry: Retry = away ? () => void settings.open() : form.failure?.canRetry ? 'submit' : undefined
  return (
    <form {...form.props(send)} className="grid gap-5">
      {children(form, form.errors.value ?? before)}
      <FormError retry={retry}>
        {form.failure?.message ?? (away ? failureTexts.unreachable : undefined)}
      </FormError>
      <FormButtons words={button} full={full} isBusy={form.isSubmitting} onCancel={on.onCancel} />
    </form>
  )
}

interface FormButtonsProps extends Pick<ComponentProps<typeof ActionButton>, 'words' | 'isBusy' | 'full'> {
  onCancel?: (() => void) | undefined
}

export function FormButtons({ words, isBusy, full = false, onCancel }: FormButtonsProps) {
  return (
    <div className={full ? 'grid' : 'flex flex-wrap gap-3'}>
      <ActionButton type="submit" full={full} small={!full} words={words} isBusy={isBusy} />
      {onCancel && (
        <Button look="neutral" small onClick={onCancel}>
          {layoutTexts.cancel}
        </Button>
      )}
    </div>
  )
}
