import {
  Page,
  PageHeading,
  PasskeyOffer,
  ScheduledDeletion,
  useDueDate,
  usePageTitle,
  WelcomeBack,
} from '@ostiary/ui'
import { dashboardTexts as texts } from '../../texts.ts'

export default function Dashboard() {
  usePageTitle(texts.title)
  const due = useDueDate()
  return (
    <Page wide>
      <div className="mb-8 grid gap-2">
        <PageHeading>{texts.heading}</PageHeading>
        <p className="text-muted">{texts.lead}</p>
      </div>
      <WelcomeBack />
      <ScheduledDeletion />
      {/* Not with the question whether to keep the account. */}
      <PasskeyOffer isHeldBack={Boolean(due)} isPending={due === undefined} />
    </Page>
  )
}
