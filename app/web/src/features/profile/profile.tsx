import { Navigate, useSearchParams } from 'react-router'
import { lastPage } from '../../account/last-page.ts'
import { useSettings } from '../../account/use-settings.ts'
import { traitsOf } from '../../auth/traits.ts'
import { useAuth } from '../../auth/use-auth.ts'
import * as paths from '../../paths.ts'
import { profileTexts } from '../../texts/profile.ts'
import { Card } from '../../ui/card.tsx'
import { EmailCard } from './email-card.tsx'
import { NameCard } from './name-card.tsx'
import { ThemeChoice } from './theme-choice.tsx'

const texts = profileTexts.theme

/** The user's name and email, and the theme of the app. */
export function Profile() {
  const settings = useSettings()
  const { session } = useAuth()
  const [search] = useSearchParams()
  const { flow } = settings
  const other = flow && (pageOf(flow.active) ?? lastPage())
  // The service redirects to one URL, whatever was changed.
  if (search.has('flow') && other && other !== paths.settings)
    return <Navigate to={`${other}?${search}`} replace />
  const traits = traitsOf(session?.identity)
  return (
    <>
      <NameCard settings={settings} name={traits.name} />
      <EmailCard settings={settings} email={traits.email} />
      <Card title={texts.title}>
        <p className="text-14 text-muted">{texts.hint}</p>
        <ThemeChoice />
      </Card>
    </>
  )
}

/** The page of the account that shows the result of a settings method. */
function pageOf(method: string | undefined): string | undefined {
  if (method === 'oidc') return paths.connections
  const isProof = ['password', 'passkey', 'webauthn', 'totp', 'lookup_secret'].includes(method ?? '')
  return isProof ? paths.security : undefined
}
