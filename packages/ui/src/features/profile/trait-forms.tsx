import { type FieldTexts, useAuth } from '@ostiary/react'
import type { Trait } from '@ostiary/react/internal'
import { useRef } from 'react'
import { credentialsSchema } from '../../flow/rules.ts'
import { SaveForm, type SaveFormProps } from '../../forms/settings/save-form.tsx'
import { TraitField, TraitFields } from '../../forms/traits/trait-field.tsx'
import { EmailField } from '../../ui/form/fields.tsx'
import { profileTexts, traitTexts } from './texts.ts'

const emailTexts = profileTexts.email

export function EmailForm(props: Pick<SaveFormProps, 'settings' | 'onSaved' | 'onCancel'>) {
  return (
    <SaveForm
      {...props}
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

interface TraitFormProps extends Pick<SaveFormProps, 'settings' | 'onCancel'> {
  trait: Trait
  /** The schema requires them since the account was made, and refuses a change without them. */
  missing: readonly Trait[]
  onSaved(): void
}

export function TraitForm({ trait, missing, onSaved, ...form }: TraitFormProps) {
  const { refetch } = useAuth()
  const fields = useRef<HTMLDivElement>(null)
  const isChoice = trait.type === 'checkbox'
  return (
    <SaveForm
      {...form}
      initial={isChoice ? undefined : `${trait.value ?? ''}`}
      method="profile"
      field={trait.name}
      keeps={!isChoice}
      button={traitTexts.save}
      others={() => textsIn(fields.current)}
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
