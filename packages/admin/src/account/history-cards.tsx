import { deviceName } from '@ostiary/identity/devices/device-name'
import { Card, Rows } from '@ostiary/ui'
import { ActivityRows } from '@ostiary/ui/internal'
import { Records } from '../admin-screen.tsx'
import { usePages } from '../call.ts'
import { EmailRow } from '../emails/email-row.tsx'
import { type Account, email, event } from '../records.ts'
import { adminAccountTexts } from '../texts.ts'

const emailTexts = adminAccountTexts.emails

export function EmailsCard({ account: { traits } }: { account: Account }) {
  const recipient = traits.email ?? ''
  const query = usePages(['emails', 'to', recipient], '/courier/messages', email, { recipient, page_size: 5 })
  return (
    <Card title={emailTexts.title}>
      <Records
        query={query}
        heights={['h-12']}
        empty={<p className="text-14 text-muted">{emailTexts.none}</p>}
      >
        {(emails) => (
          <Rows inCard>
            {emails.map((one) => (
              <EmailRow key={one.id} email={one} isOfOne />
            ))}
          </Rows>
        )}
      </Records>
    </Card>
  )
}

const eventTexts = adminAccountTexts.events

/** The activity of an account, in the words that its owner reads. */
export function EventsCard({ account: { id } }: { account: Account }) {
  const query = usePages(['account', id, 'events'], `/identities/${id}/events`, event, { page_size: 10 })
  return (
    <Card title={eventTexts.title}>
      <Records
        query={query}
        heights={['h-40']}
        empty={<p className="text-14 text-muted">{eventTexts.none}</p>}
      >
        {(events) => (
          <ActivityRows
            inCard
            events={events.map((one) => ({ ...one, device: deviceName(one.user_agent).name }))}
          />
        )}
      </Records>
    </Card>
  )
}
