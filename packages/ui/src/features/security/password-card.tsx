import type { KnownCredentials } from '../../forms/settings/known-credentials.ts'
import { OpeningCard } from '../../forms/settings/opening-card.tsx'
import type { SettingsUse } from '../../forms/settings/use-settings.ts'
import { Time } from '../../ui/format.tsx'
import { lazyPart, usePreload } from '../../ui/lazy-part.tsx'
import { securityTexts } from './texts.ts'

const PasswordForm = lazyPart(
  async () => (await import('../../forms/settings/password-form.tsx')).PasswordForm,
)
const texts = securityTexts.password

interface PasswordCardProps {
  settings: SettingsUse
  /** Undefined with another identity service. */
  known: KnownCredentials | undefined
  onChanged(): void
}

export function PasswordCard({ settings, known, onChanged }: PasswordCardProps) {
  usePreload(PasswordForm)
  const { changed_at } = known?.password ?? {}
  const [button, of] = known && !changed_at ? texts.set : texts.change
  return (
    <OpeningCard
      title={texts.title}
      fact={changed_at ? <Time words={texts.changed} of={changed_at} /> : known && texts.none}
      button={button}
      of={of}
      opened={(close) => (
        <>
          <p className="text-14 text-muted">{texts.before}</p>
          <PasswordForm
            settings={settings}
            onCancel={() => close()}
            onSaved={() => {
              close(texts.saved)
              onChanged()
            }}
            button={texts.save}
            autoFocus
          />
        </>
      )}
    />
  )
}
