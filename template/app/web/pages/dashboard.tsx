import {
  Page,
  PageHeading,
  PasskeyOffer,
  ScheduledDeletion,
  usePageTitle,
  useScheduledDeletion,
  WelcomeBack,
} from '@ostiary/ui'
import type { ReactNode } from 'react'
import { dashboardTexts as texts } from '../../texts.ts'

/** The page around its content. Rendered without children while the session is checked. */
export function Frame({ children }: { children?: ReactNode }) {
  usePageTitle(texts.title)
  return (
    <Page wide>
      <div className="mb-8 grid gap-2">
        <PageHeading>{texts.heading}</PageHeading>
        <p className="text-muted">{texts.lead}</p>
      </div>
      {children ?? <p role="status">{texts.checking}</p>}
    </Page>
  )
}

export default function Dashboard() {
  const due = useScheduledDeletion()
  return (
    <>
      <WelcomeBack />
      <ScheduledDeletion />
      {/* Hidden while the page asks whether to keep the account. */}
      <PasskeyOffer isHeldBack={Boolean(due)} isPending={due === undefined} />
    </>
  )
}
