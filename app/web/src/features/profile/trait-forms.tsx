import type { SettingsFlow } from '@ory/client-fetch'
import { traitsOf, useAuth } from '../../auth/use-auth.ts'
import { credentialsSchema } from '../../flow/rules.ts'
import { SaveForm } from '../../forms/settings/save-form.tsx'
import type { SettingsUse } from '../../forms/settings/use-settings.ts'
import { EmailField, Field } from '../../ui/form/fields.tsx'
import { profileTexts } from './texts.ts'

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
        <EmailField {...form.field('value')} label={emailTexts.label} error={error} autoFocus />
      )}
    </SaveForm>
  )
}

const nameTexts = profileTexts.name

interface NameFormProps {
  settings: SettingsUse
  onSaved(): void
  onCancel(): void
}

/** Replaces the name, or removes it if empty. */
export function NameForm({ settings, onSaved, onCancel }: NameFormProps) {
  const { session, refetch } = useAuth()
  const traits = traitsOf(settings.flow?.identity ?? session?.identity)
  return (
    <SaveForm
      settings={settings}
      initial={traits.name ?? ''}
      field="traits.name"
      keeps
      button={nameTexts.save}
      build={(name, csrf_token) => {
        // Traits are replaced as a whole.
        const { name: _, ...others } = traits
        const trimmed = name.trim()
        return { method: 'profile', traits: { ...others, ...(trimmed && { name: trimmed }) }, csrf_token }
      }}
      onCancel={onCancel}
      onSaved={() => {
        onSaved()
        void refetch()
      }}
    >
      {(form, error) => (
        <Field {...form.field('value')} label={nameTexts.label} autoComplete="name" autoFocus error={error} />
      )}
    </SaveForm>
  )
}
