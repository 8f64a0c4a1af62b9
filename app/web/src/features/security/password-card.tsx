import { OpeningCard } from '../../account/opening-card.tsx'
import type { SettingsUse } from '../../account/use-save.ts'
import { securityTexts } from '../../texts/security.ts'
import { lazyPart, usePreload } from '../../ui/lazy-part.tsx'

const ChangePassword = lazyPart(async () => (await import('./change-password.tsx')).ChangePassword)
const texts = securityTexts.password

interface PasswordCardProps {
  settings: SettingsUse
  /** Undefined with another identity service. */
  isSet: boolean | undefined
  onChanged(): void
}

/** Setting or changing the password, opened in place. */
export function PasswordCard({ settings, isSet, onChanged }: PasswordCardProps) {
  usePreload(ChangePassword)
  return (
    <OpeningCard
      title={texts.title}
      button={isSet === false ? texts.set : texts.change}
      opened={(close) => (
        <ChangePassword
          settings={settings}
          onCancel={() => close()}
          onSaved={() => {
            close(texts.saved)
            onChanged()
          }}
        />
      )}
    >
      {isSet === false && <p className="text-14 text-muted">{texts.none}</p>}
    </OpeningCard>
  )
}
