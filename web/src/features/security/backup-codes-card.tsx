import type { SettingsFlow, UpdateSettingsFlowBody } from '@ory/client-fetch'
import { useState } from 'react'
import { type SettingsUse, useSave } from '../../account/use-save.ts'
import { findInput } from '../../flow/inputs.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, Card } from '../../ui/card.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { lazyPart, usePreload } from '../../ui/lazy-part.tsx'
import { useFocusOn } from '../../ui/use-focus-on.ts'
import type { Risky } from './risky-change.tsx'

const CodeSheet = lazyPart(async () => (await import('./code-sheet.tsx')).CodeSheet)
const RiskyChange = lazyPart(async () => (await import('./risky-change.tsx')).RiskyChange)

interface BackupCodesCardProps {
  flow: SettingsFlow
  /** How many are left, where that is known. */
  left: number | undefined
  isOn: boolean
  change: ReturnType<typeof useBackupCodes>
}

type Wish = 'regenerate' | 'confirm' | 'disable'

/** What can be done with backup codes; the page makes them too, right after an authenticator app was set up. */
export function useBackupCodes(settings: SettingsUse, onChanged: () => void) {
  const save = useSave(settings)
  const { ref, focus } = useFocusOn<HTMLHeadingElement>()
  const [busy, setBusy] = useState<Wish>()
  const [error, setError] = useState<string>()
  const [status, setStatus] = useState<string>()

  async function run(wish: Wish): Promise<boolean> {
    setBusy(wish)
    setError(undefined)
    setStatus(undefined)
    const result = await save({
      field: `lookup_secret_${wish}`,
      build: (csrf_token): UpdateSettingsFlowBody => ({
        method: 'lookup_secret',
        [`lookup_secret_${wish}`]: true,
        csrf_token,
      }),
    })
    setBusy(undefined)
    if (result.kind === 'failed') setError(result.message)
    if (result.kind === 'saved') {
      setStatus(wish === 'confirm' ? 'Your backup codes are ready.' : 'Backup codes are turned off.')
      onChanged()
    }
    const isDone = result.kind === 'saved' || result.kind === 'shown'
    if (isDone) focus()
    return isDone
  }

  return { run, busy, error, status, ref }
}

/** Codes for the day when the phone is gone. */
export function BackupCodesCard({ flow, left, isOn, change }: BackupCodesCardProps) {
  const codes = freshCodes(flow)
  return codes ? <Fresh codes={codes} change={change} /> : <Stored left={left} isOn={isOn} change={change} />
}

function Fresh({ codes, change }: { codes: readonly string[]; change: Change }) {
  return (
    <Card title="Backup codes" headingRef={change.ref} state={<Badge tone="amber">Not saved yet</Badge>}>
      <CodeSheet codes={codes} />
      <FormError>{change.error}</FormError>
      <div className="justify-self-start">
        <Button busy={change.busy ? 'Saving…' : undefined} onClick={() => void change.run('confirm')}>
          I’ve saved these codes
        </Button>
      </div>
    </Card>
  )
}

function Stored({ left, isOn, change }: Omit<BackupCodesCardProps, 'flow'>) {
  const { run, busy, error, status, ref } = change
  usePreload(RiskyChange)
  const [asked, ask] = useState<Risky>()
  const { focus, ref: buttons } = useFocusOn<HTMLDivElement>()
  const cancel = () => {
    ask(undefined)
    focus()
  }
  return (
    <Card
      title="Backup codes"
      headingRef={ref}
      status={status}
      state={<Badge tone={toneOf(isOn, left)}>{stateOf(isOn, left)}</Badge>}
      action={
        !asked && (
          <div ref={buttons} tabIndex={-1} className="flex flex-wrap gap-3 focus:outline-none">
            <Button
              look="neutral"
              small
              busy={busy === 'regenerate' ? 'One moment…' : undefined}
              onClick={() => (isOn ? ask('regenerate') : void run('regenerate'))}
            >
              {isOn ? 'Make new codes' : 'Make codes'}
            </Button>
            {isOn && (
              <Button look="neutral" small onClick={() => ask('disable')}>
                Turn off <span className="sr-only">backup codes</span>
              </Button>
            )}
          </div>
        )
      }
    >
      <p className="text-14 text-muted">
        {isOn
          ? 'Each code works once in place of your authenticator app. We can’t show them again.'
          : 'Twelve codes that each work once, for when your phone is lost.'}
      </p>
      {!asked && <FormError>{error}</FormError>}
      {asked && (
        <RiskyChange
          change={asked}
          isBusy={busy !== undefined}
          error={error}
          onConfirm={() => void run(asked).then((isDone) => isDone && ask(undefined))}
          onCancel={cancel}
        />
      )}
    </Card>
  )
}

type Change = BackupCodesCardProps['change']
function toneOf(isOn: boolean, left: number | undefined): 'plain' | 'done' | 'amber' {
  if (!isOn) return 'plain'
  return left !== undefined && left < 4 ? 'amber' : 'done'
}

function stateOf(isOn: boolean, left: number | undefined): string {
  if (!isOn) return 'Off'
  return left === undefined ? 'On' : `${left} left`
}

/** Shown once, until the user has saved them. */
function freshCodes(flow: SettingsFlow): string[] | undefined {
  if (!findInput(flow, 'lookup_secret_confirm')) return undefined
  for (const { attributes, group } of flow.ui.nodes) {
    if (group !== 'lookup_secret' || attributes.node_type !== 'text') continue
    const { secrets = [] } = attributes.text.context as { secrets?: { text: string }[] }
    return secrets.map(({ text }) => text)
  }
  return undefined
}
