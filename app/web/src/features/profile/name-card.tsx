import { OpeningCard } from '../../account/opening-card.tsx'
import type { SettingsUse } from '../../account/use-save.ts'
import { profileTexts } from '../../texts/profile.ts'
import { lazyPart, usePreload } from '../../ui/lazy-part.tsx'

const NameForm = lazyPart(async () => (await import('./name-form.tsx')).NameForm)
const texts = profileTexts.name

interface NameCardProps {
  settings: SettingsUse
  name: string | undefined
}

/** How the app calls the user. */
export function NameCard({ settings, name }: NameCardProps) {
  usePreload(NameForm)
  return (
    <OpeningCard
      title={texts.title}
      field="traits.name"
      button={name ? texts.change : texts.add}
      opened={(close) => (
        <NameForm settings={settings} onSaved={() => close(texts.saved)} onCancel={() => close()} />
      )}
    >
      <p className={name ? 'wrap-anywhere' : 'text-muted'}>{name || texts.none}</p>
    </OpeningCard>
  )
}
