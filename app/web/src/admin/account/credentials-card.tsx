import { adminAccountTexts } from '../../texts/admin.ts'
import { Card } from '../../ui/card.tsx'
import { Time } from '../../ui/time.tsx'
import type { Account } from '../records.ts'

const texts = adminAccountTexts.credentials
const names: Readonly<Record<string, string>> = texts.names

/** How the user signs in. */
export function CredentialsCard({ account: { credentials } }: { account: Account }) {
  const types = Object.entries(credentials)
  return (
    <Card title={texts.title}>
      {types.length === 0 && <p className="text-14 text-muted">{texts.none}</p>}
      <ul className="grid gap-2 text-14">
        {types.map(([type, { created_at }]) => (
          <li key={type} className="flex items-baseline justify-between gap-3">
            <span>{names[type] ?? type}</span>
            <span className="text-end text-muted">
              <Time words={texts.added} of={created_at} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
