import type { SettingsFlow } from '@ory/client-fetch'
import { sixDigits } from '../../flow/rules.ts'
import { Removal } from '../../forms/settings/removal.tsx'
import { SaveForm } from '../../forms/settings/save-form.tsx'
import type { SettingsUse } from '../../forms/settings/use-settings.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { CodeField } from '../../ui/form/fields.tsx'
import { openedTexts } from './texts-opened.ts'

const texts = openedTexts.authenticator

interface AuthenticatorSetUpProps {
  settings: SettingsUse
  flow: SettingsFlow
  onSaved(): void
  onCancel(): void
}

/** The secret as a QR code and a key, until a code proves that the app has it. */
export function AuthenticatorSetUp({ settings, flow, onSaved, onCancel }: AuthenticatorSetUpProps) {
  const picture = pictureOf(flow)
  const key = keyOf(flow)
  return (
    <div className="grid gap-5">
      <ol className="grid list-outside list-decimal ps-5 gap-1 text-14 text-muted">
        {texts.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <div className="flex flex-wrap items-center gap-6">
        {/* Scanners need dark on light, in the dark theme too. */}
        <img
          src={picture}
          width={176}
          height={176}
          alt={texts.picture}
          className="rounded-field border border-line bg-white"
        />
        <div className="grid min-w-0 grow basis-48 justify-items-start gap-2">
          <p className="text-14 font-medium">{texts.key}</p>
          <code translate="no" className="font-mono text-14 leading-6 select-all">
            {key?.replaceAll(/(.{4})(?=.)/g, '$1 ')}
          </code>
          {key && <CopyButton text={key}>{texts.copyKey}</CopyButton>}
        </div>
      </div>
      <SaveForm
        settings={settings}
        rule={sixDigits}
        field="totp_code"
        button={texts.turnOn}
        build={(totp_code, csrf_token) => ({ method: 'totp', totp_code, csrf_token })}
        onSaved={onSaved}
        onCancel={onCancel}
      >
        {(form, error) => (
          <CodeField {...form.field('value')} id="totp_code" error={error} autoFocus submits={sixDigits} />
        )}
      </SaveForm>
    </div>
  )
}

function pictureOf({ ui }: SettingsFlow): string | undefined {
  for (const { attributes, group } of ui.nodes)
    if (group === 'totp' && attributes.node_type === 'img') return attributes.src
  return undefined
}

function keyOf({ ui }: SettingsFlow): string | undefined {
  for (const { attributes, group } of ui.nodes) {
    if (group !== 'totp' || attributes.node_type !== 'text') continue
    const { secret } = attributes.text.context as { secret?: string }
    return secret
  }
  return undefined
}

interface RemoveAuthenticatorProps {
  settings: SettingsUse
  hasCodes: boolean
  onRemoved(): void
  onCancel(): void
}

/** Removes the backup codes too: on their own they would lock the user out once used up. */
export function RemoveAuthenticator({ hasCodes, ...props }: RemoveAuthenticatorProps) {
  return (
    <Removal
      {...props}
      first={
        hasCodes
          ? {
              field: 'lookup_secret_disable',
              build: (csrf_token) => ({ method: 'lookup_secret', lookup_secret_disable: true, csrf_token }),
            }
          : undefined
      }
      field="totp_unlink"
      build={(csrf_token) => ({ method: 'totp', totp_unlink: true, csrf_token })}
      question={texts.askRemove}
      button={texts.confirmRemove}
    >
      {hasCodes ? `${texts.afterRemove} ${texts.codesToo}` : texts.afterRemove}
    </Removal>
  )
}
