import { Navigate, useSearchParams } from 'react-router'
import { traitsOf, useAuth } from '../../auth/use-auth.ts'
import { OpeningCard } from '../../forms/settings/opening-card.tsx'
import { lastPage } from '../../forms/settings/page-memory.ts'
import { type SettingsUse, useSettings } from '../../forms/settings/use-settings.ts'
import * as paths from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { lazyPart, usePreload } from '../../ui/lazy-part.tsx'
import { EmailCard } from './email-card.tsx'
import { profileTexts } from './texts.ts'
import { ThemeChoice } from './theme-choice.tsx'

const themeTexts = profileTexts.theme

export function Screen() {
  const settings = useSettings()
  const { session } = useAuth()
  const [search] = useSearchParams()
  const { flow } = settings
  const other = flow && (pageOf(flow.active) ?? lastPage())
  // The service redirects to one URL after every change.
  if (search.has('flow') && other && other !== paths.settings)
    return <Navigate to={`${other}?${search}`} replace />
  const traits = traitsOf(session?.identity)
  return (
    <>
      <NameCard settings={settings} name={traits.name} />
      <EmailCard settings={settings} email={traits.email} />
      <Card title={themeTexts.title}>
        <p className="text-14 text-muted">{themeTexts.hint}</p>
        <ThemeChoice />
      </Card>
    </>
  )
}

/** The account page that shows the result of a settings method. */
function pageOf(method: string | undefined): string | undefined {
  if (method === 'oidc') return paths.connections
  const isProof = ['password', 'passkey', 'webauthn', 'totp', 'lookup_secret'].includes(method ?? '')
  return isProof ? paths.security : undefined
}

const NameForm = lazyPart(async () => (await import('./trait-forms.tsx')).NameForm)
const nameTexts = profileTexts.name

interface NameCardProps {
  settings: SettingsUse
  name: string | undefined
}

export function NameCard({ settings, name }: NameCardProps) {
  usePreload(NameForm)
  return (
    <OpeningCard
      title={nameTexts.title}
      field="traits.name"
      button={name ? nameTexts.change : nameTexts.add}
      opened={(close) => (
        <NameForm settings={settings} onSaved={() => close(nameTexts.saved)} onCancel={() => close()} />
      )}
    >
      <p className={name ? 'wrap-anywhere' : 'text-muted'}>{name || nameTexts.none}</p>
    </OpeningCard>
  )
}
