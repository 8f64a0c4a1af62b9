import { Link, useSearchParams } from 'react-router'
import { Rows } from '../../ui/list.tsx'
import { AdminScreen, Records } from '../admin-screen.tsx'
import { usePages } from '../call.ts'
import { email } from '../records.ts'
import { adminTexts, emailsTexts as texts } from '../texts.ts'
import { EmailRow } from './email-row.tsx'

const statuses = ['queued', 'processing', 'sent', 'abandoned'] as const

export function EmailsScreen() {
  const [search] = useSearchParams()
  const status = statuses.find((one) => one === search.get('status'))
  const query = usePages(['emails', 'all', status], '/courier/messages', email, status ? { status } : {})
  return (
    <AdminScreen title={adminTexts.pages.emails} lead={texts.lead}>
      <Filter chosen={status} />
      <Records
        query={query}
        heights={['h-18', 'h-18', 'h-18', 'h-18']}
        none={<p className="text-muted">{texts.none}</p>}
      >
        {(emails) => (
          <Rows>
            {emails.map((one) => (
              <EmailRow key={one.id} email={one} />
            ))}
          </Rows>
        )}
      </Records>
    </AdminScreen>
  )
}

function Filter({ chosen }: { chosen: (typeof statuses)[number] | undefined }) {
  return (
    <nav aria-label={texts.filter} className="flex flex-wrap gap-2">
      {[undefined, ...statuses].map((status) => (
        <Link
          key={status ?? 'all'}
          to={status ? `?status=${status}` : '?'}
          aria-current={status === chosen ? 'true' : undefined}
          className={chip}
        >
          {status ? texts.statuses[status] : texts.all}
        </Link>
      ))}
    </nav>
  )
}

const chip =
  'inline-flex min-h-9 items-center rounded-round border border-line bg-surface px-3.5 text-14 text-muted transition-colors hover:border-edge hover:text-ink aria-[current]:border-accent aria-[current]:bg-tint aria-[current]:font-medium aria-[current]:text-ink pointer-coarse:min-h-11'
