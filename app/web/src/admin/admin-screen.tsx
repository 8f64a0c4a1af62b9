import type { ReactNode } from 'react'
import { adminTexts } from '../texts/admin.ts'
import { PageHeading, usePageTitle } from '../ui/page.tsx'

interface AdminScreenProps {
  title: string
  /** One sentence below it. */
  lead?: string
  /** Replaces both. */
  heading?: ReactNode
  children: ReactNode
}

export function AdminScreen({ title, heading, lead, children }: AdminScreenProps) {
  usePageTitle(`${title} · ${adminTexts.admin}`)
  return (
    <div className="page-width grid content-start gap-6 py-6 md:py-10">
      {heading ?? (
        <div className="grid gap-1">
          <PageHeading small>{title}</PageHeading>
          <p className="text-muted">{lead}</p>
        </div>
      )}
      {children}
    </div>
  )
}
