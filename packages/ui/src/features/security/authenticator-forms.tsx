import type { SettingsFlow } from '@ory/client-fetch'
import { appCodeWords, CodeEntryForm, type CodeFailure, useCodeEntry } from '../../forms/code/code-entry.tsx'
import { Removal, type RemovalProps } from '../../forms/settings/removal.tsx'
import { FormButtons } from '../../forms/settings/save-form.tsx'
import { type SettingsFlowForm, useSave } from '../../forms/settings/use-settings.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { openedTexts } from './texts-opened.ts'

const texts = openedTexts.authenticator

interface AuthenticatorSetUpProps {
  settings: SettingsFlowForm
  flow: SettingsFlow
  onSaved(): void
  onCancel(): void
}

/** The secret as a QR code and a key, until a code proves that the app has it. */
export function AuthenticatorSetUp({ settings, flow, onSaved, onCancel }: AuthenticatorSetUpProps) {
  const picture = pictureOf(flow)
  const key = keyOf(flow)
  const save = useSave(settings)
  const entry = useCodeEntry({ submit, ...appCodeWords() })

  async function submit(totp_code: string): Promise<CodeFailure | undefined> {
    const result = await save({ method: 'totp', field: 'totp_code', typed: { totp_code } })
    if (result.kind === 'saved') onSaved()
    if (result.kind === 'signed-out') return { ...result, canRetry: false }
    if (result.kind !== 'failed') return undefined
    return result.of === 'field' ? { ...result, canRetry: false, wrongCode: totp_code } : result
  }

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
          width={208}
          height={208}
          alt={texts.picture}
          className="rounded-field border border-line bg-white"
        />
        <div className="grid min-w-0 grow basis-48 justify-items-start gap-2">
          <p className="text-14 font-medium">{texts.key}</p>
          <code translate="no" className="font-mono text-14 select-all">
            {key?.replaceAll(/(.{4})(?=.)/g, '$1 ')}
          </code>
          {key && <CopyButton text={key}>{texts.copyKey}</CopyButton>}
        </div>
      </div>
      <CodeEntryForm entry={entry} id="totp_code" takesFocus>
        <FormButtons words={texts.turnOn} isBusy={entry.isBusy} onCancel={onCancel} />
      </CodeEntryForm>
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

interface RemoveAuthenticatorProps extends Pick<RemovalProps, 'settings' | 'onRemoved' | 'onCancel'> {
  hasCodes: boolean
}

const unlink = { method: 'totp', name: 'totp_unlink', value: 'true' }
const disableCodes = { method: 'lookup_secret', name: 'lookup_secret_disable', value: 'true' }

/** Removes the backup codes too: on their own they would lock the user out once used up. */
export function RemoveAuthenticator({ hasCodes, ...props }: RemoveAuthenticatorProps) {
  return (
    <Removal
      {...props}
      changes={hasCodes ? [disableCodes, unlink] : [unlink]}
      question={texts.askRemove}
      button={texts.confirmRemove}
    >
      {hasCodes ? `${texts.afterRemove} ${texts.codesToo}` : texts.afterRemove}
    </Removal>
  )
}
