import type { SettingsFlow } from '@ory/client-fetch'
import { findInput } from '@ostiary/react/internal'
import { useState } from 'react'
import { useCredentialDetails } from '../../forms/settings/credential-details.ts'
import { type SettingsFlowForm, useChange } from '../../forms/settings/use-settings.ts'
import { Badge, Card, CardButton } from '../../ui/card.tsx'
import { useDisclosure } from '../../ui/disclosure.ts'
import { FormError } from '../../ui/form/form-error.tsx'
import { lazyPart, usePreload } from '../../ui/lazy-part.tsx'
import { FEW_CODES } from './security-summary.tsx'
import { securityTexts } from './texts.ts'

const FreshCodes = lazyPart(async () => (await import('./backup-codes.tsx')).FreshCodes, 'h-100 sm:h-84')
const RiskyChange = lazyPart(async () => (await import('./backup-codes.tsx')).RiskyChange, 'h-40 sm:h-34')

const texts = securityTexts.backupCodes

export type BackupCodesUse = ReturnType<typeof useBackupCodes>

interface BackupCodesCardProps {
  flow: SettingsFlow
  isOn: boolean
  isAppOn: boolean
  change: BackupCodesUse
}

type Change = 'regenerate' | 'confirm' | 'disable'

/** The actions on backup codes. The page also generates codes when an authenticator app is set up. */
export function useBackupCodes(settings: SettingsFlowForm) {
  const { refresh } = useCredentialDetails()
  const { change, pending, error } = useChange(settings)
  const question = useDisclosure<'regenerate' | 'disable'>()

  const [kept, setKept] = useState<readonly string[]>()

  async function send(name: Change) {
    const action = { method: 'lookup_secret', name: `lookup_secret_${name}`, value: 'true' }
    const { kind } = await change(action)
    if (kind === 'saved') refresh()
    return kind
  }

  async function run(name: Change): Promise<void> {
    question.say(undefined)
    const kind = await send(name)
    if (kind === 'shown') question.close()
    if (kind === 'saved') close(name)
  }

  /** Codes that the user copied, downloaded or printed work at once, and stay visible. */
  async function keep(codes: readonly string[]): Promise<void> {
    if (kept) return
    setKept(codes)
    if ((await send('confirm')) !== 'saved') setKept(undefined)
  }

  function close(name: Change): void {
    setKept(undefined)
    question.close(texts.done[name])
  }

  return { ...question, run, keep, kept, hide: () => close('confirm'), pending, error }
}

export function BackupCodesCard({ flow, ...stored }: BackupCodesCardProps) {
  const codes = stored.isAppOn && (freshCodes(flow) ?? stored.change.kept)
  return codes ? <FreshCodes codes={codes} change={stored.change} /> : <Stored {...stored} />
}

function Stored({ isOn, isAppOn, change }: Omit<BackupCodesCardProps, 'flow'>) {
  const left = useCredentialDetails().known?.backup_codes?.left
  const { run, pending, error, asked, ask, cancel, status, heading, openerOf } = change
  usePreload(RiskyChange, FreshCodes)
  return (
    <Card
      title={texts.title}
      headingRef={heading.ref}
      status={status}
      fact={explanationOf(isOn, isAppOn)}
      state={<Badge tone={isOn && !isAppOn ? 'attention' : toneOf(isOn, left)}>{stateOf(isOn, left)}</Badge>}
      action={
        !asked &&
        (isAppOn || isOn) && (
          <div className="flex flex-wrap gap-2">
            {isAppOn && (
              <CardButton
                ref={openerOf('regenerate')}
                busy={pending?.name === 'lookup_secret_regenerate' ? texts.make[1] : undefined}
                onClick={() => (isOn ? ask('regenerate') : void run('regenerate'))}
              >
                {isOn ? texts.makeNew : texts.make[0]}
              </CardButton>
            )}
            {isOn && (
              <CardButton ref={openerOf('disable')} of={texts.all} onClick={() => ask('disable')}>
                {texts.turnOff}
              </CardButton>
            )}
          </div>
        )
      }
    >
      {!asked && <FormError>{error}</FormError>}
      {asked && (
        <RiskyChange
          change={asked === 'disable' && !isAppOn ? 'disableLast' : asked}
          isBusy={pending !== undefined}
          error={error}
          onConfirm={() => void run(asked)}
          onCancel={cancel}
        />
      )}
    </Card>
  )
}

/** Codes without an app would lock the user out once used up. */
function explanationOf(isOn: boolean, isAppOn: boolean): string {
  if (isOn) return isAppOn ? texts.isOn : texts.isAlone
  return isAppOn ? texts.isOff : texts.needsApp
}

function toneOf(isOn: boolean, remaining: number | undefined): 'plain' | 'done' | 'attention' {
  if (!isOn) return 'plain'
  return remaining !== undefined && remaining <= FEW_CODES ? 'attention' : 'done'
}

function stateOf(isOn: boolean, remaining: number | undefined): string {
  if (!isOn) return texts.off
  return remaining === undefined ? texts.on : texts.left(remaining)
}

function freshCodes(flow: SettingsFlow): readonly string[] | undefined {
  if (!findInput(flow, 'lookup_secret_confirm')) return undefined
  for (const { attributes, group } of flow.ui.nodes) {
    if (group !== 'lookup_secret' || attributes.node_type !== 'text') continue
    const { secrets = [] } = attributes.text.context as { secrets?: { text: string }[] }
    return secrets.map(({ text }) => text)
  }
  return undefined
}
