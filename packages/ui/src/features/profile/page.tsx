import { useAuth } from '@ostiary/react'
import { traitsIn, traitsOf } from '@ostiary/react/internal'
import { Navigate, useSearchParams } from 'react-router'
import { lastPage } from '../../forms/settings/page-memory.ts'
import { storedTrait, useAccountSettings } from '../../forms/settings/use-settings.ts'
import * as paths from '../../paths.ts'
import { product } from '../../product.ts'
import { Card, CardButton, type Outline, OutlineSkeleton } from '../../ui/card.tsx'
import { EmailCard } from './email-card.tsx'
import { profileTexts, traitTexts } from './texts.ts'
import { ThemeChoice } from './theme-choice.tsx'
import { TraitCard } from './trait-card.tsx'

const themeTexts = profileTexts.theme
/** As long as most. */
const ADDRESS = 'first.last@example.com'

export const outline = (): Outline => ({
  entries: [
    ...Object.values(product().traits).map(({ title, format }) => ({
      title,
      fact: format === 'email' ? ADDRESS : traitTexts.none,
      action: <CardButton>{format === 'email' ? profileTexts.email.change : traitTexts.add}</CardButton>,
    })),
    { title: themeTexts.title, fact: themeTexts.hint, action: <ThemeChoice /> },
  ],
})

export function Screen() {
  const settings = useAccountSettings()
  const { session } = useAuth()
  const [search] = useSearchParams()
  const { flow } = settings
  const other = flow && (pageOf(flow.active) ?? lastPage())
  // The service redirects to one URL after every change.
  if (search.has('flow') && other && other !== paths.settings)
    return <Navigate to={`${other}?${search}`} replace />
  const traits = flow
    ? traitsIn(flow).map((trait) => ({ ...trait, value: storedTrait(flow, trait.name) }))
    : []
  const missing = traits.filter(({ required, value }) => required && (value ?? '') === '')
  return (
    <>
      <EmailCard settings={settings} email={traitsOf(session?.identity).email} />
      {traits.map((trait) => (
        <TraitCard
          key={trait.name}
          settings={settings}
          trait={trait}
          missing={missing.filter(({ name }) => name !== trait.name)}
        />
      ))}
      {flow || settings.isUnreachable ? (
        <Card title={themeTexts.title} fact={themeTexts.hint} action={<ThemeChoice />} />
      ) : (
        // The flow says which cards come before that of the theme.
        <OutlineSkeleton entries={outline().entries.slice(1)} />
      )}
    </>
  )
}

function pageOf(method: string | undefined): string | undefined {
  if (method === 'oidc') return paths.connections
  const isProof = ['password', 'passkey', 'webauthn', 'totp', 'lookup_secret'].includes(method ?? '')
  return isProof ? paths.security : undefined
}
