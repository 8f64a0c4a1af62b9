import { useAuth } from '@ostiary/react'
import { readSettings } from '../../api/env.ts'
import { useCredentialDetails } from '../../forms/settings/credential-details.ts'
import { ExpandableCard } from '../../forms/settings/expandable-card.tsx'
import type { SettingsFlowForm } from '../../forms/settings/use-settings.ts'
import { Time } from '../../ui/format.tsx'
import { lazyPart, usePreload } from '../../ui/lazy-part.tsx'
import { securityTexts } from './texts.ts'

const PasswordForm = lazyPart(
  async () => (await import('../../forms/settings/password-form.tsx')).PasswordForm,
  'h-43 sm:h-38',
)
const texts = securityTexts.password

export function PasswordCard({ settings }: { settings: SettingsFlowForm }) {
  usePreload(PasswordForm)
  const { known, refresh } = useCredentialDetails()
  const { changed_at } = known?.password ?? {}
  const [button, of] = known && !changed_at ? texts.set : texts.change
  return (
    <ExpandableCard
      title={texts.title}
      // Invisible words keep the card's height.
      fact={
        known ? (
          <Fact changed_at={changed_at} />
        ) : (
          readSettings().account_api && (
            <span aria-hidden="true" className="invisible">
              {texts.original}
            </span>
          )
        )
      }
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
              refresh()
            }}
            button={texts.save}
            autoFocus
          />
        </>
      )}
    />
  )
}

function Fact({ changed_at }: { changed_at: string | undefined }) {
  const { created_at } = useAuth().session?.identity ?? {}
  if (!changed_at) return <span>{texts.none}</span>
  if (created_at && Date.parse(changed_at) === new Date(created_at).getTime())
    return <span>{texts.original}</span>
  return <Time words={texts.changed} of={changed_at} />
}
