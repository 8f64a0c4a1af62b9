import type { SettingsFlow } from '@ory/client-fetch'
import { traitsOf, useAuth } from '@ostiary/react'
import { type FieldTexts, type Trait, withTraits } from '@ostiary/react/internal'
import { useRef } from 'react'
import { credentialsSchema } from '../../flow/rules.ts'
import { SaveForm } from '../../forms/settings/save-form.tsx'
import type { SettingsUse } from '../../forms/settings/use-settings.ts'
import { TraitField, TraitFields } from '../../forms/traits/trait-field.tsx'
import { EmailField } from '../../ui/form/fields.tsx'
import { profileTexts, traitTexts } from './texts.ts'

interface EmailFormProps {
  settings: SettingsUse
  onSaved(flow: SettingsFlow): void
  onCancel(): void
}

const emailTexts = profileTexts.email

export function EmailForm({ settings, ...on }: EmailFormProps) {
  const traits = traitsOf(settings.flow?.identity)
  return (
    <SaveForm
      {...on}
      settings={settings}
      field="traits.email"
      keeps
      button={emailTexts.send}
      rule={credentialsSchema.shape.email}
      build={(email, csrf_token) => ({ method: 'profile', traits: { ...traits, email }, csrf_token })}
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
  settings: SettingsUse
  trait: Trait
  /** The schema requires them since the account was made, and refuses a change without them. */
  missing: readonly Trait[]
  onSaved(): void
  onCancel(): void
}

export function TraitForm({ settings, trait, missing, onSaved, onCancel }: TraitFormProps) {
  const { session, refetch } = useAuth()
  const fields = useRef<HTMLDivElement>(null)
  const isChoice = trait.type === 'checkbox'
  return (
    <SaveForm
      settings={settings}
      initial={isChoice ? undefined : `${trait.value ?? ''}`}
      field={trait.name}
      keeps={!isChoice}
      button={traitTexts.save}
      build={(value, csrf_token) => {
        // Traits are replaced as a whole.
        const traits = traitsOf(settings.flow?.identity ?? session?.identity)
        const typed = { ...textsIn(fields.current), [trait.name]: value }
        return { method: 'profile', traits: withTraits(traits, [trait, ...missing], typed), csrf_token }
      }}
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
