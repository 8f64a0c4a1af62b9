import { Address, EmptyDrawing } from '@ostiary/ui'
import { formatTimeOrDay } from '@ostiary/ui/internal'
import { useState } from 'react'
import { inboxTexts as texts } from '../texts.ts'
import { DemoPage } from './demo-page.tsx'
import { useChanges } from './follow-changes.ts'
import { type Mail, useMails } from './list-mails.ts'
import { MailView } from './mail-view.tsx'

export function DemoInbox() {
  useChanges()
  const { data: mails, isError } = useMails('mails')
  return (
    <DemoPage title={texts.title} note={texts.note} isLost={isError}>
      {mails?.length === 0 ? (
        <div className="grid justify-items-center gap-4 py-16 text-center">
          <EmptyDrawing />
          <p className="text-balance text-muted">{texts.none}</p>
        </div>
      ) : (
        <Mails mails={mails} />
      )}
    </DemoPage>
  )
}

export function EmailPreviews() {
  const { data: mails, isError } = useMails('emails')
  return (
    <DemoPage title={texts.previews} note={texts.previewsNote} isLost={isError}>
      <Mails mails={mails} />
    </DemoPage>
  )
}

function Mails({ mails }: { mails: readonly Mail[] | undefined }) {
  const [chosenId, choose] = useState<string>()
  const chosen = mails?.find(({ id }) => id === chosenId) ?? mails?.[0]
  if (!mails || !chosen) return <p className="text-muted">{texts.opening}</p>
  return (
    <div className="grid items-start gap-6 md:grid-cols-[20rem_1fr]">
      <MailList mails={mails} chosenId={chosen.id} onChoose={choose} />
      <MailView mail={chosen} />
    </div>
  )
}

interface MailListProps {
  mails: readonly Mail[]
  chosenId: string
  onChoose(id: string): void
}

function MailList({ mails, chosenId, onChoose }: MailListProps) {
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
              </span>{' '}
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
