import { type ReactNode, useState } from 'react'
import { useRenamePasskey } from '../../account/use-credentials.ts'
import { type SettingsUse, useSave } from '../../account/use-save.ts'
import { forgetPasskey } from '../../flow/passkeys.ts'
import { z } from '../../schema.ts'
import { Button } from '../../ui/button.tsx'
import { Confirmation } from '../../ui/confirmation.tsx'
import { Field } from '../../ui/field.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { PasskeyIcon } from '../../ui/icons.tsx'
import { Time } from '../../ui/time.tsx'
import { useFocusOn } from '../../ui/use-focus-on.ts'
import { useForm } from '../../ui/use-form.ts'
import type { Passkey } from './list-passkeys.ts'

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
      {open === 'rename' && <Rename passkey={passkey} onCancel={close} onDone={onDone} onSaved={close} />}
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

const nameSchema = z.object({
  name: z.pipe(
    z.pipe(
      z.string(),
      z.transform((text: string) => text.trim()),
    ),
    z.string().check(z.minLength(1, 'Enter a name.'), z.maxLength(64, 'At most 64 characters.')),
  ),
})

interface RenameProps {
  passkey: Passkey
  onCancel(): void
  onSaved(): void
  onDone(words: string): void
}

function Rename({ passkey, onCancel, onSaved, onDone }: RenameProps) {
  const rename = useRenamePasskey()
  const form = useForm(nameSchema, { name: passkey.name })
  async function send({ name }: { name: string }) {
    const problem = await rename(passkey.id, name)
    if (problem) return form.fail(problem)
    onSaved()
    onDone(`Renamed to “${name}”.`)
  }
  return (
    <form {...form.props(send)} className="grid gap-4">
      <Field {...form.field('name')} label="Name of this passkey" autoComplete="off" autoFocus />
      <FormError>{form.failure?.message}</FormError>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={form.isSubmitting ? 'Saving…' : undefined}>
          Save name
        </Button>
        <Button look="neutral" small onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

interface RemovalProps extends Omit<RenameProps, 'onSaved'> {
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
