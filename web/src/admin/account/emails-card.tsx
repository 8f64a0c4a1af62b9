import { adminAccountTexts } from '../../texts/admin.ts'
import { Card } from '../../ui/card.tsx'
import { EmailRow } from '../emails/email-row.tsx'
import { Loaded, ShowMore } from '../loaded.tsx'
import { type Account, email } from '../records.ts'
import { usePages } from '../use-pages.ts'

const texts = adminAccountTexts.emails

/** What was sent to the address of an account. */
export function EmailsCard({ account: { traits } }: { account: Account }) {
  const recipient = traits.email ?? ''
  const query = usePages(['emails', 'to', recipient], '/courier/messages', email, { recipient, page_size: 5 })
  return (
    <Card title={texts.title}>
      <Loaded query={query} heights={['h-12']}>
        {({ pages }) => {
          const emails = pages.flatMap(({ records }) => records)
          if (emails.length === 0) return <p className="text-14 text-muted">{texts.none}</p>
          return (
            <>
              <ul className="divide-y divide-line border-y border-line">
                {emails.map((one) => (
                  <EmailRow key={one.id} email={one} isOfOne />
                ))}
              </ul>
              <ShowMore query={query} />
            </>
          )
        }}
      </Loaded>
    </Card>
  )
}
