import { ActivityRow } from '../../features/activity/activity-row.tsx'
import { adminAccountTexts } from '../../texts/admin.ts'
import { Card } from '../../ui/card.tsx'
import { Records, rowsInCard } from '../loaded.tsx'
import { type Account, event } from '../records.ts'
import { usePages } from '../use-pages.ts'

const texts = adminAccountTexts.events

/** The activity of an account, in the words that its owner reads. */
export function EventsCard({ account: { id } }: { account: Account }) {
  const query = usePages(['account', id, 'events'], `/identities/${id}/events`, event, { page_size: 10 })
  return (
    <Card title={texts.title}>
      <Records query={query} heights={['h-40']} none={<p className="text-14 text-muted">{texts.none}</p>}>
        {(events) => (
          <ol className={rowsInCard}>
            {events.map((one) => (
              <ActivityRow key={one.id} event={{ ...one, device: '' }} />
            ))}
          </ol>
        )}
      </Records>
    </Card>
  )
}
