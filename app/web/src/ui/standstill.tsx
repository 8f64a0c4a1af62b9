import type { ReactNode } from 'react'
import { PageHeading } from './page.tsx'

interface StandstillProps {
  drawing: ReactNode
  heading: string
  /** What happened, in a sentence; announced if it is an error. */
  children: ReactNode
  isError?: boolean
  /** What to do next. */
  actions: ReactNode
}

/** A page with nothing but a message and what to do next. */
export function Standstill({ drawing, heading, children, isError = false, actions }: StandstillProps) {
  return (
    <div className="page-width grid grow place-content-center py-16">
      <div className="grid justify-items-center gap-4 text-center">
        {drawing}
        <PageHeading small>{heading}</PageHeading>
        <p role={isError ? 'alert' : undefined} className="min-h-6 max-w-[48ch] text-balance text-muted">
          {children}
        </p>
        <div className="mt-2 flex flex-wrap justify-center gap-3">{actions}</div>
      </div>
    </div>
  )
}
