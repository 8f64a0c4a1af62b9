import { useEffect, useRef } from 'react'
import { useOnward } from '../../auth/use-after-sign-in.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { TickIcon } from '../../ui/icons.tsx'
import { PageHeading, usePageTitle } from '../../ui/page.tsx'

export function EmailVerified() {
  const onward = useOnward()
  const view = useRef<HTMLDivElement>(null)
  usePageTitle('Email verified')
  useEffect(() => view.current?.querySelector('h1')?.focus(), [])
  return (
    <div ref={view} className="grid justify-items-center gap-4 py-4 text-center">
      <span className="grid size-14 place-items-center rounded-round bg-done-tint text-done forced-colors:border">
        <TickIcon />
      </span>
      <PageHeading small>Email Verified!</PageHeading>
      <p className="text-balance text-muted">Your email address is confirmed. You can now log in.</p>
      <div className="mt-4 w-full">
        <ButtonLink to="/login" state={onward} full>
          Go to Login
        </ButtonLink>
      </div>
    </div>
  )
}
