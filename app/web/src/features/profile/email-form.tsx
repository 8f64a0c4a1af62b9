import type { SettingsFlow } from '@ory/client-fetch'
import { SaveForm } from '../../account/save-form.tsx'
import type { SettingsUse } from '../../account/use-save.ts'
import { traitsOf } from '../../auth/traits.ts'
import { credentialsSchema } from '../../flow/credentials-schema.ts'
import { profileTexts } from '../../texts/profile.ts'
import { EmailField } from '../../ui/email-field.tsx'

interface EmailFormProps {
  settings: SettingsUse
  onSaved(flow: SettingsFlow): void
  onCancel(): void
}

const texts = profileTexts.email

/** Another address for the account. */
export function EmailForm({ settings, ...on }: EmailFormProps) {
  const traits = traitsOf(settings.flow?.identity)
  return (
    <SaveForm
      {...on}
      settings={settings}
      field="traits.email"
      keeps
      button={texts.send}
      rule={credentialsSchema.shape.email}
      build={(email, csrf_token) => ({ method: 'profile', traits: { ...traits, email }, csrf_token })}
    >
      {(form, error) => <EmailField {...form.field('value')} label={texts.label} error={error} autoFocus />}
    </SaveForm>
  )
}
