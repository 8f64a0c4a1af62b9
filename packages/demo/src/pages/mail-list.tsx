import { Address } from '@ostiary/ui'
import { formatTimeOrDay } from '@ostiary/ui/internal'
import { inboxTexts as texts } from '../texts.ts'
import type { Mail } from './list-mails.ts'

interface MailListProps {
  mails: readonly Mail[]
  chosenId: string
  /** The ids of the emails that were opened. Without it, none is marked. */
  read?: string | undefined
  onChoose(id: string): void
}

export function MailList({ mails, chosenId, read, onChoose }: MailListProps) {
  return (
    <nav aria-label={texts.list} className="overflow-hidden rounded-card border border-line bg-surface">
      <ul className="relative max-h-56 divide-y divide-line overflow-y-auto md:max-h-[70dvh]">
        {mails.map((mail) => (
          <li key={mail.id}>
            <button
              type="button"
              aria-current={mail.id === chosenId ? 'true' : undefined}
              onClick={() => onChoose(mail.id)}
              className={entry}
            >
              <span className="flex items-baseline justify-between gap-3 text-14 max-[17rem]:flex-wrap text-muted">
                <Address oneLine plain>
                  {mail.recipient ?? mail.template_type}
                </Address>
                {mail.created_at && (
                  <time dateTime={mail.created_at} className="shrink-0 tabular-nums">
                    {formatTimeOrDay(mail.created_at)}
                  </time>
                )}
              </span>
              {read?.includes(mail.id) === false && (
                <span className="absolute start-1 top-10.5 size-2 rounded-round bg-accent forced-colors:border">
                  <span className="sr-only">{texts.unread}</span>
                </span>
              )}{' '}
              <span className="line-clamp-2 font-medium break-words">{mail.subject}</span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const entry =
  'relative grid w-full grid-cols-1 gap-0.5 border-s-3 border-transparent px-4 py-3 text-start -outline-offset-2 transition-colors hover:bg-tint aria-[current]:border-accent aria-[current]:bg-tint aria-[current]:forced-highlight'
