import { RequestFailed } from '../../api/request.ts'
import { useRenamePasskey } from '../../forms/settings/credential-details.ts'
import { FormButtons } from '../../forms/settings/save-form.tsx'
import type { SettingsFlowForm } from '../../forms/settings/use-settings.ts'
import { CardButton, CardEntry } from '../../ui/card.tsx'
import { useDisclosure } from '../../ui/disclosure.ts'
import { Field } from '../../ui/form/fields.tsx'
import { FormError } from '../../ui/form/form-error.tsx'
import { z } from '../../ui/form/schema.ts'
import { rejectForm, useForm } from '../../ui/form/use-form.ts'
import { Time } from '../../ui/format.tsx'
import { PasskeyIcon } from '../../ui/icons.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Dotted } from '../../ui/list.tsx'
import type { Passkey } from './passkeys-card.tsx'
import { openedTexts } from './texts-opened.ts'

const Removal = lazyPart(
  async () => (await import('../../forms/settings/removal.tsx')).Removal,
  'h-40 sm:h-34',
)

const texts = openedTexts.passkey

interface PasskeyRowProps {
  passkey: Passkey
  settings: SettingsFlowForm
  onDone(words: string): void
}

export function PasskeyRow({ passkey, settings, onDone }: PasskeyRowProps) {
  const { asked, ask, cancel, openerOf } = useDisclosure<'rename' | 'remove'>()
  const { name, isLast } = passkey
  return (
    <CardEntry
      icon={<PasskeyIcon />}
      title={<span translate="no">{name}</span>}
      fact={<Details passkey={passkey} />}
      action={
        !asked && (
          <div className="flex flex-wrap gap-2">
            <CardButton ref={openerOf('rename')} of={name} onClick={() => ask('rename')}>
              {texts.rename}
            </CardButton>
            {!isLast && (
              <CardButton ref={openerOf('remove')} of={name} onClick={() => ask('remove')}>
                {texts.remove}
              </CardButton>
            )}
          </div>
        )
      }
    >
      {asked === 'rename' && <RenamePasskey passkey={passkey} onClose={cancel} onDone={onDone} />}
      {asked === 'remove' && (
        <Removal
          settings={settings}
          changes={[{ method: 'passkey', name: 'passkey_remove', value: passkey.id }]}
          question={texts.askRemove(name)}
          button={texts.confirmRemove}
          onCancel={cancel}
          onRemoved={() => onDone(texts.removed(name))}
        >
          {texts.afterRemove(passkey.keptBy)}
        </Removal>
      )}
    </CardEntry>
  )
}

function Details({ passkey: { name, keptBy, createdAt, lastUsedAt, isLast } }: { passkey: Passkey }) {
  return (
    <>
      <Dotted
        parts={[
          keptBy !== name && keptBy,
          createdAt && <Time words={texts.addedAt} of={createdAt} />,
          lastUsedAt && <Time words={texts.usedAt} of={lastUsedAt} />,
        ]}
      />
      {isLast && <span>{texts.isLast}</span>}
    </>
  )
}

const nameSchema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, texts.noName), z.maxLength(64, texts.longName)),
})

interface RenamePasskeyProps {
  passkey: Passkey
  onClose(): void
  onDone(words: string): void
}

export function RenamePasskey({ passkey, onClose, onDone }: RenamePasskeyProps) {
  const rename = useRenamePasskey()
  const form = useForm(nameSchema, { name: passkey.name })
  async function send(typed: { name: string }) {
    try {
      await rename(passkey.id, typed)
    } catch (error) {
      if (error instanceof RequestFailed) return rejectForm(form, error)
      throw error
    }
    onClose()
    onDone(texts.renamed(typed.name))
  }
  return (
    <form
      {...form.props(send)}
      onKeyDown={({ key }) => {
        if (key === 'Escape' && !form.isSubmitting) onClose()
      }}
      className="grid gap-4"
    >
      <Field
        {...form.field('name')}
        id={`name-${passkey.id}`}
        label={texts.name}
        autoComplete="off"
        autoFocus
      />
      <FormError>{form.failure?.message}</FormError>
      <FormButtons words={texts.save} isBusy={form.isSubmitting} onCancel={onClose} />
    </form>
  )
}
