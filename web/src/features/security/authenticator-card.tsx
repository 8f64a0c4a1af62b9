import type { SettingsFlow } from '@ory/client-fetch'
import { useState } from 'react'
import { SaveForm } from '../../account/save-form.tsx'
import { type SettingsUse, useSave } from '../../account/use-save.ts'
import { findInput } from '../../flow/inputs.ts'
import { sixDigits } from '../../flow/six-digits.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Card } from '../../ui/card.tsx'
import { CodeField } from '../../ui/code-field.tsx'
import { Confirmation } from '../../ui/confirmation.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { useFocusOn } from '../../ui/use-focus-on.ts'

interface AuthenticatorCardProps {
  settings: SettingsUse
  flow: SettingsFlow
  onSetUp(): void
}

/** An app that shows codes, as the second step of signing in. */
export function AuthenticatorCard({ settings, flow, onSetUp }: AuthenticatorCardProps) {
  const isOn = findInput(flow, 'totp_unlink') !== undefined
  const [isOpen, setOpen] = useState(false)
  const [status, setStatus] = useState<string>()
  const { ref, focus } = useFocusOn<HTMLHeadingElement>()

  function finish(words: string) {
    setOpen(false)
    setStatus(words)
    focus()
  }

  return (
    <Card
      title="Authenticator app"
      headingRef={ref}
      state={<Badge tone={isOn ? 'done' : 'plain'}>{isOn ? 'On' : 'Off'}</Badge>}
      status={status}
      action={
        !isOpen && (
          <Button
            look="neutral"
            small
            onClick={() => {
              setOpen(true)
              setStatus(undefined)
            }}
          >
            {isOn ? 'Remove' : 'Set up'}
            <span className="sr-only"> the authenticator app</span>
          </Button>
        )
      }
    >
      {!isOpen && (
        <p className="text-14 text-muted">
          {isOn
            ? 'Signing in asks for a code from your app after the first step.'
            : 'Add a second step to signing in: a six-digit code from an app such as 1Password, Google Authenticator or Aegis.'}
        </p>
      )}
      {isOpen && isOn && (
        <Removal
          settings={settings}
          onCancel={() => {
            setOpen(false)
            focus()
          }}
          onRemoved={() => finish('Your authenticator app is removed.')}
        />
      )}
      {isOpen && !isOn && (
        <SetUp
          settings={settings}
          flow={flow}
          onCancel={() => {
            setOpen(false)
            focus()
          }}
          onSaved={() => {
            finish('Your authenticator app is set up.')
            onSetUp()
          }}
        />
      )}
    </Card>
  )
}

interface SetUpProps {
  settings: SettingsUse
  flow: SettingsFlow
  onSaved(): void
  onCancel(): void
}

function SetUp({ settings, flow, onSaved, onCancel }: SetUpProps) {
  const picture = pictureOf(flow)
  const key = keyOf(flow)
  return (
    <div className="grid gap-5">
      <ol className="grid list-inside list-decimal gap-1 text-14 text-muted">
        <li>Scan the picture with your authenticator app, or type the key into it.</li>
        <li>Enter the six digits that the app shows.</li>
      </ol>
      <div className="flex flex-wrap items-center gap-6">
        {/* Scanners need dark on light, in the dark theme too. */}
        <img
          src={picture}
          width={176}
          height={176}
          alt="QR code with the key below"
          className="rounded-field border border-line bg-white"
        />
        <div className="grid min-w-0 grow basis-48 justify-items-start gap-2">
          <p className="text-14 font-medium">Key</p>
          <code className="font-mono text-14 leading-6 wrap-anywhere select-all">
            {key?.replaceAll(/(.{4})(?=.)/g, '$1 ')}
          </code>
          {key && <CopyButton text={key}>Copy key</CopyButton>}
        </div>
      </div>
      <SaveForm
        settings={settings}
        rule={sixDigits}
        field="totp_code"
        button={['Turn on', 'Checking…']}
        build={(totp_code, csrf_token) => ({ method: 'totp', totp_code, csrf_token })}
        onSaved={onSaved}
        beside={
          <Button look="neutral" small onClick={onCancel}>
            Cancel
          </Button>
        }
      >
        {(form, error) => <CodeField {...form.field('value')} error={error} autoFocus />}
      </SaveForm>
    </div>
  )
}

interface RemovalProps {
  settings: SettingsUse
  onRemoved(): void
  onCancel(): void
}

function Removal({ settings, onRemoved, onCancel }: RemovalProps) {
  const save = useSave(settings)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()

  async function remove() {
    setBusy(true)
    const result = await save({
      field: 'totp_unlink',
      build: (csrf_token) => ({ method: 'totp', totp_unlink: true, csrf_token }),
    })
    setBusy(false)
    if (result.kind === 'saved') onRemoved()
    if (result.kind === 'failed') setError(result.message)
  }

  return (
    <Confirmation
      button={['Remove app', 'Removing…']}
      isBusy={isBusy}
      error={error}
      onConfirm={() => void remove()}
      onCancel={onCancel}
    >
      <p className="font-medium">Remove your authenticator app?</p>
      <p>Signing in will no longer ask for its codes, so your account is easier to break into.</p>
    </Confirmation>
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
