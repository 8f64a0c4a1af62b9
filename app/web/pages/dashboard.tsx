import {
  Page,
  PageHeading,
  PasskeyOffer,
  readSettings,
  ScheduledDeletion,
  usePageTitle,
  useScheduledDeletion,
  WelcomeBack,
} from '@ostiary/ui'
import type { ReactNode } from 'react'
import { dashboardTexts as texts } from '../../texts.ts'
import { useProtectedUser, useRepositories } from '../repositories/list-repositories.ts'
import { ListSkeleton, RepositoryList } from '../repositories/repository-list.tsx'

/** The page around its content. Rendered without children while the session is checked. */
export function Frame({ children }: { children?: ReactNode }) {
  usePageTitle(texts.title)
  return (
    <Page wide>
      <div className="mb-8 grid gap-2">
        <PageHeading>{texts.heading}</PageHeading>
        <p className="text-muted">{texts.lead}</p>
      </div>
      {children ?? <ListSkeleton>{texts.checking}</ListSkeleton>}
    </Page>
  )
}

export default function Dashboard() {
  useProtectedUser()
  const user = readSettings().own.DASHBOARD_USER
  const { isPending } = useRepositories(user)
  const due = useScheduledDeletion()
  return (
    <>
      <WelcomeBack />
      <ScheduledDeletion />
      {/* The question may still appear above the list. */}
      <div className={due === undefined ? 'held-back' : undefined}>
        <RepositoryList user={user} />
      </div>
      {/* Hidden while the page asks whether to keep the account. */}
      <PasskeyOffer isHeldBack={Boolean(due)} isPending={isPending || due === undefined} />
    </>
  )
}
