import { leaveFor, TitleSection } from '@ostiary/ui/internal'
import { type ReactNode, useEffect } from 'react'
import { Bar } from '../pages/demo-page.tsx'
import { demoTexts } from '../texts.ts'

// Not in `main.tsx`: React Refresh imports a module with components again, which would start the page twice.

export function Frame({ children }: { children: ReactNode }) {
  return <div className="rounded-card border-line sm:border sm:bg-surface sm:px-6 sm:py-4">{children}</div>
}

export function Surroundings({ children }: { children: ReactNode }) {
  return (
    <TitleSection value={demoTexts.demo}>
      <Bar />
      {children}
    </TitleSection>
  )
}

/** The router has opened a page of the app, which this entry does not have. */
export function Leave() {
  useEffect(() => leaveFor(), [])
  return null
}
