import { useState } from 'react'
import { Link } from 'react-router'
import { useAuth } from '../../auth/use-auth.ts'
import * as paths from '../../paths.ts'
import { passkeyOfferTexts as texts } from '../../texts/dashboard.ts'
import { Button } from '../../ui/button.tsx'
import { PasskeyIcon } from '../../ui/icons.tsx'
import { isOffered, neverAgain } from './remembered.ts'

/** After signing in by other means: a passkey is quicker the next time. Who declines is not asked again. */
export function PasskeyOffer() {
  const { session } = useAuth()
  const id = session?.identity?.id
  const [isOpen, setOpen] = useState(() => id !== undefined && isOffered(id))
  const hasOne = session?.authentication_methods?.some(({ method }) => method === 'passkey') ?? false
  if (!isOpen || hasOne || id === undefined) return null
  const close = () => {
    neverAgain(id)
    setOpen(false)
  }
  return (
    <aside
      aria-label={texts.title}
      className="mb-8 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card border border-line bg-surface p-4 sm:px-6"
    >
      <span className="rounded-field bg-tint p-2.5 text-accent">
        <PasskeyIcon />
      </span>
      <div className="min-w-0 grow basis-60">
        <p className="font-medium">{texts.heading}</p>
        <p className="text-14 text-muted">{texts.text}</p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Link to={paths.security} onClick={close} className="link inline-flex min-h-11 items-center text-14">
          {texts.add}
        </Link>
        <Button look="quiet" small onClick={close}>
          {texts.dismiss}
        </Button>
      </div>
    </aside>
  )
}
