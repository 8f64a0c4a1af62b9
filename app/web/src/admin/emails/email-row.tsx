import { useId, useState } from 'react'
import { emailsTexts as texts } from '../../texts/admin.ts'
import { Badge } from '../../ui/card.tsx'
import { Dotted } from '../../ui/dotted.tsx'
import { Time } from '../../ui/time.tsx'
import type { Email } from '../records.ts'
import { EmailAttempts } from './email-attempts.tsx'

interface EmailRowProps {
  email: Email
  /** All emails of the list have the same recipient. */
  isOfOne?: boolean
}

/** An email in the queue; it expands to its attempts. */
export function EmailRow({ email, isOfOne = false }: EmailRowProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  return (
    <li>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full items-center gap-4 px-4 py-3 text-start -outline-offset-2 transition-colors hover:bg-tint sm:px-6"
      >
        <span className="min-w-0 flex-1">
          <span className="block font-medium wrap-anywhere">{isOfOne ? nameOf(email) : email.recipient}</span>
          <span className="block text-14 text-muted">
            <Dotted parts={[!isOfOne && nameOf(email), <Time key="time" of={email.created_at} />]} />
          </span>
        </span>
        <EmailStatus status={email.status} />
      </button>
      <div id={id} hidden={!isOpen} className="px-4 pb-4 sm:px-6">
        {isOpen && <EmailAttempts email={email} />}
      </div>
    </li>
  )
}

const tones = { queued: 'plain', processing: 'plain', sent: 'done', abandoned: 'amber' } as const

function EmailStatus({ status }: Pick<Email, 'status'>) {
  return <Badge tone={tones[status]}>{texts.statuses[status]}</Badge>
}

/** "Verification code" of `verification_code_valid`. */
function nameOf({ template_type }: Email): string {
  const words = template_type.replace(/_valid$/, '').replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
