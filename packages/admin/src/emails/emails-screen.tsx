import { Rows } from '@ostiary/ui'
import { AdminScreen, Records } from '../admin-screen.tsx'
import { usePages } from '../call.ts'
import { Filter, useFilter } from '../filter.tsx'
import { email } from '../records.ts'
import { adminTexts, emailsTexts as texts } from '../texts.ts'
import { EmailRow } from './email-row.tsx'

export function EmailsScreen() {
  const status = useFilter('status', texts.statuses)
  const query = usePages(['emails', 'all', status], '/courier/messages', email, status ? { status } : {})
  return (
    <AdminScreen title={adminTexts.pages.emails} lead={texts.lead}>
      <Filter label={texts.filter} name="status" options={texts.statuses} />
      <Records
        query={query}
        heights={['h-18', 'h-18', 'h-18', 'h-18']}
        empty={<p className="text-muted">{texts.none}</p>}
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
