import type { SettingsFlow } from '@ory/client-fetch'
import { useState } from 'react'
import { useAuth } from '../../auth/use-auth.ts'
import { formErrorTexts } from '../../flow/messages.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import {
  offeredProviders,
  type Provider,
  providerMarks,
  providerNames,
  providers,
} from '../sign-in/providers.ts'
import { type SettingsUse, useSave } from './use-save.ts'

type Change = 'link' | 'unlink'

interface ConnectionsProps {
  settings: SettingsUse
  flow: SettingsFlow
  onSaved(): void
}

/** The providers that somebody can sign in with, and the way to begin or end that. */
export function Connections({ settings, flow, onSaved }: ConnectionsProps) {
  const save = useSave(settings)
  const { session } = useAuth()
  const [busy, setBusy] = useState<Provider>()
  const [error, setError] = useState<string>()

  async function change(provider: Provider, way: Change) {
    setBusy(provider)
    setError(undefined)
    const body = way === 'link' ? { link: provider } : { unlink: provider }
    const result = await save({
      field: way,
      build: (csrf_token) => ({ method: 'oidc', ...body, csrf_token }),
    })
    // On the way to the provider the button stays busy.
    if (result.kind !== 'leaving') setBusy(undefined)
    if (result.kind === 'saved') onSaved()
    if (result.kind === 'failed') setError(result.message)
  }

  const isIn = (provider: Provider) =>
    session?.authentication_methods?.some((one) => one.provider === provider) ?? false
  const before = flow.active === 'oidc' ? formErrorTexts(flow) : undefined
  return (
    <div className="grid gap-4">
      <ul className="divide-y divide-line">
        {providers.map((provider) => (
          <ConnectionRow
            key={provider}
            provider={provider}
            way={changeOf(flow, provider)}
            isIn={isIn(provider)}
            isBusy={busy === provider}
            onChange={change}
          />
        ))}
      </ul>
      <FormError>{error ?? before}</FormError>
    </div>
  )
}

/** Whether this site has any provider at all. */
export function hasConnections({ ui }: SettingsFlow): boolean {
  return ui.nodes.some(({ group }) => group === 'oidc')
}

/** What the service lets the person change about a provider. */
function changeOf(flow: SettingsFlow, provider: Provider): Change | undefined {
  if (offeredProviders(flow, 'link').includes(provider)) return 'link'
  return offeredProviders(flow, 'unlink').includes(provider) ? 'unlink' : undefined
}

interface ConnectionRowProps {
  provider: Provider
  way: Change | undefined
  /** The person came in by it. */
  isIn: boolean
  isBusy: boolean
  onChange(provider: Provider, way: Change): Promise<void>
}

function ConnectionRow({ provider, way, isIn, isBusy, onChange }: ConnectionRowProps) {
  if (!way && !isIn) return null
  const Mark = providerMarks[provider]
  return (
    <li className="flex min-h-14 items-center justify-between gap-4 py-2">
      <span className="flex items-center gap-3 font-medium">
        <Mark />
        <span>
          {providerNames[provider]}
          {!way && (
            <span className="block text-14 font-normal text-muted">
              Your only way in. Set a password to change that.
            </span>
          )}
        </span>
      </span>
      {way && (
        <div className="-mr-4 shrink-0">
          <Button
            look="quiet"
            busy={isBusy ? 'One moment…' : undefined}
            onClick={() => void onChange(provider, way)}
          >
            <span className="text-14">
              {way === 'link' ? 'Connect' : 'Disconnect'}{' '}
              <span className="sr-only">{providerNames[provider]}</span>
            </span>
          </Button>
        </div>
      )}
    </li>
  )
}
