import { Link } from 'react-router'
import { overviewTexts as texts } from '../../texts/admin.ts'
import { Card } from '../../ui/card.tsx'
import { EmailRow } from '../emails/email-row.tsx'
import { Loaded, rowsInCard } from '../loaded.tsx'
import { email } from '../records.ts'
import { usePages } from '../use-pages.ts'

/** The newest abandoned emails: each may be a user who waits for a code. */
export function FailedEmails() {
  const query = usePages(['emails', 'newest-failed'], '/courier/messages', email, {
    status: 'abandoned',
    page_size: 3,
  })
  return (
    <Card title={texts.failed}>
      <Loaded query={query} heights={['h-16']}>
        {(emails) =>
          emails.length > 0 ? (
            <>
              <ul className={rowsInCard}>
                {emails.map((one) => (
                  <EmailRow key={one.id} email={one} />
                ))}
              </ul>
              <Link to="/emails?status=abandoned" className="link justify-self-start text-14">
                {texts.allFailed}
              </Link>
            </>
          ) : (
            <p className="text-14 text-muted">{texts.noFailed}</p>
          )
        }
      </Loaded>
    </Card>
  )
}
