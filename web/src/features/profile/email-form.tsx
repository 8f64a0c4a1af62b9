import type { SettingsFlow } from '@ory/client-fetch'
import { SaveForm } from '../../account/save-form.tsx'
import type { SettingsUse } from '../../account/use-save.ts'
import { credentialsSchema } from '../../flow/credentials-schema.ts'
import { EmailField } from '../../ui/email-field.tsx'

interface EmailFormProps {
  settings: SettingsUse
  onSaved(flow: SettingsFlow): void
}

/** Another address for the account. */
export function EmailForm({ settings, onSaved }: EmailFormProps) {
  const flow = settings.opened?.kind === 'flow' ? settings.opened.flow : undefined
  const traits = flow?.identity.traits as Record<string, unknown> | undefined
  return (
    <SaveForm
      settings={settings}
      field="traits.email"
      button={['Send me a code', 'Sending…']}
      rule={credentialsSchema.shape.email}
      build={(email, csrf_token) => ({ method: 'profile', traits: { ...traits, email }, csrf_token })}
      onSaved={onSaved}
    >
      {(form, error) => <EmailField {...form.field('value')} label="New email" error={error} autoFocus />}
    </SaveForm>
  )
}
