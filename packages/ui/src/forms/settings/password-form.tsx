import { traitsOf } from '@ostiary/react/internal'
import { PasswordAdvice } from '../../flow/password-advice.tsx'
import { credentialsSchema, tooShort } from '../../flow/rules.ts'
import { PasswordField } from '../../ui/form/fields.tsx'
import { SaveForm, type SaveFormProps } from './save-form.tsx'
import { accountTexts } from './texts.ts'

interface PasswordFormProps
  extends Pick<SaveFormProps, 'settings' | 'button' | 'full' | 'onSaved' | 'onCancel'> {
  /** It opens in place of the button that had the focus. */
  autoFocus?: true
}

export function PasswordForm({ settings, autoFocus, ...props }: PasswordFormProps) {
  return (
    <SaveForm
      {...props}
      settings={settings}
      rule={credentialsSchema.shape.password}
      method="password"
      field="password"
    >
      {(form, error) => (
        <>
          {/* Tells password managers which account it is. */}
          <input
            type="text"
            name="username"
            autoComplete="username"
            value={traitsOf(settings.flow?.identity).email ?? ''}
            readOnly
            hidden
          />
          <PasswordField
            {...form.password('value')}
            id="new-password"
            label={accountTexts.newPassword}
            autoComplete="new-password"
            autoFocus={autoFocus}
            error={error}
            hint={<PasswordAdvice password={form.texts.value ?? ''} />}
            ruleInHint={tooShort()}
          />
        </>
      )}
    </SaveForm>
  )
}
