import { adminAccountTexts } from '../../texts/admin.ts'
import { Card } from '../../ui/card.tsx'
import { EmailRow } from '../emails/email-row.tsx'
import { Records, rowsInCard } from '../loaded.tsx'
import { type Account, email } from '../records.ts'
import { usePages } from '../use-pages.ts'

const texts = adminAccountTexts.emails

/** What was sent to the address of an account. */
export function EmailsCard({ account: { traits } }: { account: Account }) {
  const recipient = traits.email ?? ''
  const query = usePages(['emails', 'to', recipient], '/courier/messages', email, { recipient, page_size: 5 })
  return (
    <Card title={texts.title}>
      <Records query={query} heights={['h-12']} none={<p className="text-14 text-muted">{texts.none}</p>}>
        {(emails) => (
          <ul className={rowsInCard}>
            {emails.map((one) => (
              <EmailRow key={one.id} email={one} isOfOne />
            ))}
          </ul>
        )}
      </Records>
    </Card>
  )
}
