import { type ReactNode, useState } from 'react'
import { type SettingsUse, useSave } from '../../account/use-save.ts'
import { forgetPasskey } from '../../flow/passkeys.ts'
import { Button } from '../../ui/button.tsx'
import { Confirmation } from '../../ui/confirmation.ts'
import { PasskeyIcon } from '../../ui/icons.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Time } from '../../ui/time.tsx'
import { useFocusOn } from '../../ui/use-focus-on.ts'
import type { Passkey } from './list-passkeys.ts'

const RenamePasskey = lazyPart(async () => (await import('./rename-passkey.tsx')).RenamePasskey)

interface PasskeyCardProps {
  passkey: Passkey
  settings: SettingsUse
  question: string | undefined
  onDone(words: string): void
}

/** One passkey: what it is called, where it is kept, and the ways to rename and remove it. */
export function PasskeyCard({ passkey, settings, question, onDone }: PasskeyCardProps) {
  const [open, setOpen] = useState<'rename' | 'remove'>()
  const { ref, focus } = useFocusOn<HTMLDivElement>()
  const { name, isLast } = passkey
  const close = () => {
    setOpen(undefined)
    focus()
  }
  return (
    <div className="grid gap-4 rounded-card border border-line bg-surface p-4 sm:px-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="text-muted">
          <PasskeyIcon />
        </span>
        <div className="min-w-0 grow basis-40">
          <p className="font-medium wrap-anywhere">{name}</p>
          <p className="text-14 text-muted">
            <Details passkey={passkey} />
          </p>
        </div>
        {!open && (
          <div ref={ref} tabIndex={-1} className="-mx-2 flex focus:outline-none">
            <RowButton onClick={() => setOpen('rename')} name={name}>
              Rename
            </RowButton>
            {!isLast && (
              <RowButton onClick={() => setOpen('remove')} name={name}>
                Remove
              </RowButton>
            )}
          </div>
        )}
      </div>
      {isLast && (
        <p className="text-14 text-muted">
          Your only sign-in method. Set a password or add another passkey before removing it.
        </p>
      )}
      {open === 'rename' && (
        <RenamePasskey passkey={passkey} onCancel={close} onDone={onDone} onSaved={close} />
      )}
      {open === 'remove' && (
        <Removal passkey={passkey} settings={settings} question={question} onCancel={close} onDone={onDone} />
      )}
    </div>
  )
}

function RowButton({ children, name, onClick }: { children: ReactNode; name: string; onClick(): void }) {
  return (
    <Button look="quiet" small onClick={onClick}>
      {children} <span className="sr-only">{name}</span>
    </Button>
  )
}

function Details({ passkey: { name, keptBy, createdAt, lastUsedAt } }: { passkey: Passkey }) {
  return (
    <>
      {keptBy && keptBy !== name && <span className="whitespace-nowrap">{keptBy} · </span>}
      {createdAt && (
        <span className="whitespace-nowrap">
          Added <Time of={createdAt} />
        </span>
      )}
      {lastUsedAt && (
        <span className="whitespace-nowrap">
          {' '}
          · Used <Time of={lastUsedAt} />
        </span>
      )}
    </>
  )
}

interface RemovalProps {
  passkey: Passkey
  onCancel(): void
  onDone(words: string): void
  settings: SettingsUse
  question: string | undefined
}

function Removal({ passkey, settings, question, onCancel, onDone }: RemovalProps) {
  const save = useSave(settings)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()

  async function remove() {
    setBusy(true)
    const result = await save({
      field: 'passkey_remove',
      build: (csrf_token) => ({ method: 'passkey', passkey_remove: passkey.id, csrf_token }),
    })
    setBusy(false)
    if (result.kind === 'failed') setError(result.message)
    if (result.kind !== 'saved') return
    if (question) await forgetPasskey(question, passkey.credentialId)
    onDone(`“${passkey.name}” is removed.`)
  }

  return (
    <Confirmation
      button={['Remove passkey', 'Removing…']}
      isBusy={isBusy}
      error={error}
      onConfirm={() => void remove()}
      onCancel={onCancel}
    >
      <p className="font-medium">Remove “{passkey.name}”?</p>
      <p>
        You can no longer sign in with it. Your device may keep offering it: delete it there too
        {passkey.keptBy ? `, in ${passkey.keptBy}` : ''}.
      </p>
    </Confirmation>
  )
}
