import type { Trait } from '@ostiary/react/internal'
import { ExpandableCard } from '../../forms/settings/expandable-card.tsx'
import type { SettingsFlowForm } from '../../forms/settings/use-settings.ts'
import { lazyPart, usePreload } from '../../ui/lazy-part.tsx'
import { formatDay } from '../../ui/locale.ts'
import { traitTexts as texts } from './texts.ts'

const TraitForm = lazyPart(async () => (await import('./trait-forms.tsx')).TraitForm, 'h-32')

interface TraitCardProps {
  settings: SettingsFlowForm
  trait: Trait
  missing: readonly Trait[]
}

export function TraitCard({ settings, trait, missing }: TraitCardProps) {
  usePreload(TraitForm)
  const value = shownValue(trait)
  return (
    <ExpandableCard
      title={trait.label}
      field={trait.name}
      fact={value ?? texts.none}
      button={value ? texts.change : texts.add}
      of={trait.label}
      opened={(close) => (
        <TraitForm
          settings={settings}
          trait={trait}
          missing={missing}
          onSaved={() => close(texts.saved)}
          onCancel={() => close()}
        />
      )}
    />
  )
}

function shownValue({ type, value }: Trait): string | undefined {
  if (typeof value === 'boolean') return texts.answers[value ? 0 : 1]
  if (value === undefined || value === null || value === '') return undefined
  return type === 'date' ? formatDay(`${value}`) : `${value}`
}
