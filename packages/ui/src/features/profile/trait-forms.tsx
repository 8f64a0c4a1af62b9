import type { SettingsFlow } from '@ory/client-fetch'
import { type FieldTexts, useAuth } from '@ostiary/react'
import type { Trait } from '@ostiary/react/internal'
import { useRef } from 'react'
import { credentialsSchema } from '../../flow/rules.ts'
import { SaveForm } from '../../forms/settings/save-form.tsx'
import type { SettingsFlowForm } from '../../forms/settings/use-settings.ts'
import { TraitField, TraitFields } from '../../forms/traits/trait-field.tsx'
import { EmailField } from '../../ui/form/fields.tsx'
import { profileTexts, traitTexts } from './texts.ts'

interface EmailFormProps {
  settings: SettingsFlowForm
  onSaved(flow: SettingsFlow): void
  onCancel(): void
}

const emailTexts = profileTexts.email

export function EmailForm({ settings, ...on }: EmailFormProps) {
  return (
    <SaveForm
      {...on}
      settings={settings}
      method="profile"
      field="traits.email"
      keeps
      button={emailTexts.send}
      rule={credentialsSchema.shape.email}
    >
      {(form, error) => (
        <EmailField
          {...form.field('value')}
          id="traits.email"
          label={emailTexts.label}
          error={error}
          autoFocus
        />
      )}
    </SaveForm>
  )
}

interface TraitFormProps {
  settings: SettingsFlowForm
  trait: Trait
  /** The schema requires them since the account was made, and refuses a change without them. */
  missing: readonly Trait[]
  onSaved(): void
  onCancel(): void
}

export function TraitForm({ settings, trait, missing, onSaved, onCancel }: TraitFormProps) {
  const { refetch } = useAuth()
  const fields = useRef<HTMLDivElement>(null)
  const isChoice = trait.type === 'checkbox'
  return (
    <SaveForm
      settings={settings}
      initial={isChoice ? undefined : `${trait.value ?? ''}`}
      method="profile"
      field={trait.name}
      keeps={!isChoice}
      button={traitTexts.save}
      others={() => textsIn(fields.current)}
      onCancel={onCancel}
      onSaved={() => {
        onSaved()
        void refetch()
      }}
    >
      {(form, error) => {
        const { name, defaultValue = trait.value } = form.field('value')
        return (
          <div ref={fields} className="grid gap-5">
            <TraitField
              trait={{ ...trait, value: defaultValue }}
              id={trait.name}
              name={name}
              error={error}
              autoFocus
            />
            <TraitFields within={`${trait.name}-`} traits={missing} errors={{}} />
          </div>
        )
      }}
    </SaveForm>
  )
}

function textsIn(fields: HTMLElement | null): FieldTexts {
  const form = fields?.closest('form')
  return form ? Object.fromEntries(new FormData(form).entries() as Iterable<[string, string]>) : {}
}
