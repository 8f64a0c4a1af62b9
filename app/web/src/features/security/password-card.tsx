import { OpeningCard } from '../../forms/settings/opening-card.tsx'
import type { SettingsUse } from '../../forms/settings/use-settings.ts'
import { lazyPart, usePreload } from '../../ui/lazy-part.tsx'
import { securityTexts } from './texts.ts'

const PasswordForm = lazyPart(
  async () => (await import('../../forms/settings/password-form.tsx')).PasswordForm,
)
const texts = securityTexts.password

interface PasswordCardProps {
  settings: SettingsUse
  /** Undefined with another identity service. */
  isSet: boolean | undefined
  onChanged(): void
}

export function PasswordCard({ settings, isSet, onChanged }: PasswordCardProps) {
  usePreload(PasswordForm)
  return (
    <OpeningCard
      title={texts.title}
      button={isSet === false ? texts.set : texts.change}
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
    >
      {isSet === false && <p className="text-14 text-muted">{texts.none}</p>}
    </OpeningCard>
  )
}
