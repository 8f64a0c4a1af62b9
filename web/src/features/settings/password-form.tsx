import { credentialsSchema } from '../../flow/credentials-schema.ts'
import { z } from '../../schema.ts'
import { PasswordField, useReveal } from '../../ui/password-field.tsx'
import { adviceFor } from '../sign-up/password-strength.ts'
import { SaveForm } from './save-form.tsx'
import type { SettingsUse } from './use-save.ts'

const schema = z.object({ value: credentialsSchema.shape.password })

interface PasswordFormProps {
  settings: SettingsUse
  button: readonly [string, string]
  onSaved(): void
  onConfirm?(): string
}

/** A new password for the account of the flow. */
export function PasswordForm({ settings, button, onSaved, onConfirm }: PasswordFormProps) {
  const reveal = useReveal()
  return (
    <SaveForm
      settings={settings}
      schema={schema}
      field="password"
      button={button}
      build={(password, csrf_token) => ({ method: 'password', password, csrf_token })}
      onSend={reveal.hide}
      onSaved={onSaved}
      onConfirm={onConfirm}
    >
      {(form, error) => (
        <>
          {/* Password managers learn from it whose password this is. */}
          <input
            type="text"
            name="username"
            autoComplete="username"
            value={emailOf(settings)}
            readOnly
            hidden
          />
          <PasswordField
            {...form.field('value')}
            shown={reveal.shown}
            onToggle={reveal.onToggle}
            label="New password"
            autoComplete="new-password"
            error={error}
            hint={adviceFor(form.texts.value ?? '')}
          />
        </>
      )}
    </SaveForm>
  )
}

/** The address of the account, as far as it is known. */
function emailOf({ opened }: SettingsUse): string {
  const traits: unknown = opened?.kind === 'flow' ? opened.flow.identity?.traits : undefined
  return (traits as { email?: string } | undefined)?.email ?? ''
}
