import { type ReactNode, useState } from 'react'
import type { SettingsUse } from '../../account/use-save.ts'
import { credentialIdOf, forgetPasskey } from '../../flow/passkeys.ts'
import { openedTexts } from '../../texts/security-opened.ts'
import { Button } from '../../ui/button.tsx'
import { Dotted } from '../../ui/dotted.tsx'
import { PasskeyIcon } from '../../ui/icons.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Time } from '../../ui/time.tsx'
import { useFocusOn } from '../../ui/use-focus-on.ts'
import type { Passkey } from './list-passkeys.ts'

const Removal = lazyPart(async () => (await import('../../account/removal.tsx')).Removal)
const RenamePasskey = lazyPart(async () => (await import('./rename-passkey.tsx')).RenamePasskey)

const texts = openedTexts.passkey

interface PasskeyCardProps {
  passkey: Passkey
  settings: SettingsUse
  question: string | undefined
  onDone(words: string): void
}

/** One passkey: its name, where it is kept, and how to rename or remove it. */
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
          <div className="text-14 text-muted">
            <Details passkey={passkey} />
          </div>
        </div>
        {!open && (
          <div ref={ref} tabIndex={-1} className="-mx-2 flex focus:outline-none">
            <RowButton onClick={() => setOpen('rename')} name={name}>
              {texts.rename}
            </RowButton>
            {!isLast && (
              <RowButton onClick={() => setOpen('remove')} name={name}>
                {texts.remove}
              </RowButton>
            )}
          </div>
        )}
      </div>
      {isLast && <p className="text-14 text-muted">{texts.isLast}</p>}
      {open === 'rename' && <RenamePasskey passkey={passkey} onClose={close} onDone={onDone} />}
      {open === 'remove' && (
        <Removal
          settings={settings}
          field="passkey_remove"
          build={(csrf_token) => ({ method: 'passkey', passkey_remove: passkey.id, csrf_token })}
          question={texts.askRemove(name)}
          button={texts.confirmRemove}
          onCancel={close}
          onRemoved={async () => {
            if (question) await forgetPasskey(question, credentialIdOf(passkey.id))
            onDone(texts.removed(name))
          }}
        >
          {texts.afterRemove(passkey.keptBy)}
        </Removal>
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
    <Dotted
      parts={[
        keptBy !== name && keptBy,
        createdAt && <Time words={texts.addedAt} of={createdAt} />,
        lastUsedAt && <Time words={texts.usedAt} of={lastUsedAt} />,
      ]}
    />
  )
}
