import { SaveForm } from '../../account/save-form.tsx'
import type { SettingsUse } from '../../account/use-save.ts'
import { traitsOf } from '../../auth/traits.ts'
import { useAuth } from '../../auth/use-auth.ts'
import { profileTexts } from '../../texts/profile.ts'
import { Field } from '../../ui/field.tsx'

const texts = profileTexts.name

interface NameFormProps {
  settings: SettingsUse
  onSaved(): void
  onCancel(): void
}

/** Replaces the name; an empty one removes it. */
export function NameForm({ settings, onSaved, onCancel }: NameFormProps) {
  const { session, refetch } = useAuth()
  const traits = traitsOf(settings.flow?.identity ?? session?.identity)
  return (
    <SaveForm
      settings={settings}
      initial={traits.name ?? ''}
      field="traits.name"
      keeps
      button={texts.save}
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
        <Field {...form.field('value')} label={texts.label} autoComplete="name" autoFocus error={error} />
      )}
    </SaveForm>
  )
}
