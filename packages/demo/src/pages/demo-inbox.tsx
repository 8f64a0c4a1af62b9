import { readableAddresses } from '@ostiary/identity/input/readable-address'
import { recall, remember } from '@ostiary/react/internal'
import { Button, EmptyDrawing, SelectField } from '@ostiary/ui'
import { useEffect, useState } from 'react'
import { inboxTexts as texts } from '../texts.ts'
import { DemoPage } from './demo-page.tsx'
import { useChanges } from './follow-changes.ts'
import { type Mail, useMails } from './list-mails.ts'
import { MailList } from './mail-list.tsx'
import { MailView } from './mail-view.tsx'

export function DemoInbox() {
  useChanges()
  const { data: mails, isError } = useMails('mails')
  const [cleared, clear] = useStored('inbox-cleared')
  const [recipient, setRecipient] = useState('')
  const uncleared = mails?.filter(({ created_at = '' }) => created_at > cleared)
  const shownMails = uncleared?.filter((mail) => recipient === '' || mail.recipient === recipient)
  return (
    <DemoPage
      title={texts.title}
      note={texts.note}
      isLost={isError}
      actions={
        uncleared?.[0] && (
          <div className="grid basis-96 grid-cols-[minmax(0,1fr)_auto] items-end gap-4">
            <Recipients mails={uncleared} value={recipient} onChoose={setRecipient} />
            <Button look="neutral" onClick={() => clear(uncleared[0]?.created_at ?? '')}>
              {texts.clear}
            </Button>
          </div>
        )
      }
    >
      <Inbox mails={shownMails} />
    </DemoPage>
  )
}

/** A sample of each email. */
export function EmailPreviews() {
  const { data: mails, isError } = useMails('emails')
  return (
    <DemoPage title={texts.previews} note={texts.previewsNote} isLost={isError}>
      <Mails mails={mails} />
    </DemoPage>
  )
}

/** A text that a reload keeps. */
function useStored(key: string) {
  const [text, setText] = useState(() => recall(key) ?? '')
  const store = (next: string) => {
    remember(key, next)
    setText(next)
  }
  return [text, store] as const
}

interface RecipientsProps {
  mails: readonly Mail[]
  value: string
  onChoose(recipient: string): void
}

function Recipients({ mails, value, onChoose }: RecipientsProps) {
  const recipients = new Set(mails.map(({ recipient }) => recipient))
  return (
    <SelectField label={texts.to} value={value} onChange={({ target }) => onChoose(target.value)}>
      <option value="">{texts.everyone}</option>
      {[...recipients].map((recipient) => (
        <option key={recipient} value={recipient}>
          {recipient && readableAddresses(recipient)}
        </option>
      ))}
    </SelectField>
  )
}

function Inbox({ mails }: { mails: readonly Mail[] | undefined }) {
  const [read, setRead] = useStored('inbox-read')
  if (mails?.length === 0) {
    return (
      <div className="grid justify-items-center gap-4 py-16 text-center">
        <EmptyDrawing />
        <p className="text-balance text-muted">{texts.none}</p>
      </div>
    )
  }
  return (
    <Mails
      mails={mails}
      read={read}
      onOpen={(id) => {
        if (!read.includes(id)) setRead(`${read} ${id}`)
      }}
    />
  )
}

interface MailsProps {
  mails: readonly Mail[] | undefined
  read?: string
  onOpen?(id: string): void
}

function Mails({ mails, read, onOpen }: MailsProps) {
  const [chosenId, choose] = useState<string>()
  const chosen = mails?.find(({ id }) => id === chosenId) ?? mails?.[0]
  const opened = chosen?.id
  useEffect(() => {
    if (opened) onOpen?.(opened)
  })
  if (!mails || !chosen) return <p className="text-muted">{texts.opening}</p>
  return (
    <div className="grid items-start gap-6 md:grid-cols-[20rem_1fr]">
      <MailList mails={mails} chosenId={chosen.id} read={read} onChoose={choose} />
      <MailView mail={chosen} />
    </div>
  )
}
