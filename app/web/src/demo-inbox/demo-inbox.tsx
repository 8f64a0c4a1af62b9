import { type ReactNode, useEffect, useState } from 'react'
import * as product from '../../../../app.config.ts'
import { recall, remember } from '../ui/browser.ts'
import { Button } from '../ui/button.tsx'
import { SelectField } from '../ui/form/choice-fields.tsx'
import { AppMark } from '../ui/icons.tsx'
import { Notice } from '../ui/page.tsx'
import { EmptyDrawing } from '../ui/standstill.tsx'
import { useChanges } from './follow-changes.ts'
import { type Mail, useMails } from './list-mails.ts'
import { MailList } from './mail-list.tsx'
import { MailView } from './mail-view.tsx'

export function DemoInbox() {
  useChanges()
  const { data: mails, isError } = useMails('mails')
  const [cleared, clear] = useStored('inbox-cleared')
  const [recipient, setRecipient] = useState('')
  const kept = mails?.filter(({ created_at = '' }) => created_at > cleared)
  const shown = kept?.filter((mail) => recipient === '' || mail.recipient === recipient)
  return (
    <Page
      title="Inbox"
      note="Demo: these emails never leave this app"
      isLost={isError}
      actions={
        kept?.[0] && (
          <div className="grid basis-96 grid-cols-[minmax(0,1fr)_auto] items-end gap-4">
            <Recipients mails={kept} value={recipient} onChoose={setRecipient} />
            <Button look="neutral" onClick={() => clear(kept[0]?.created_at ?? '')}>
              Clear
            </Button>
          </div>
        )
      }
    >
      <Inbox mails={shown} />
    </Page>
  )
}

/** A sample of each email. */
export function EmailPreviews() {
  const { data: mails, isError } = useMails('emails')
  return (
    <Page title="Email previews" note="Demo: samples of every email" isLost={isError}>
      <Mails mails={mails} />
    </Page>
  )
}

interface PageProps {
  title: string
  note: string
  isLost: boolean
  actions?: ReactNode
  children: ReactNode
}

function Page({ title, note, isLost, actions, children }: PageProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <Bar />
      <main className="page-width grid grow content-start gap-6 py-8">
        <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
          <div className="flex min-w-0 grow flex-wrap items-center gap-x-4 gap-y-2">
            <h1 className="text-28">{title}</h1>
            <p className="rounded-small bg-amber-tint px-2 py-0.5 text-14 text-amber forced-colors:border">
              {note}
            </p>
          </div>
          {actions}
        </div>
        {isLost && <Notice tone="amber">Can’t reach the app. Retrying…</Notice>}
        {children}
      </main>
    </div>
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
    <SelectField label="To" value={value} onChange={({ target }) => onChoose(target.value)}>
      <option value="">Everyone</option>
      {[...recipients].map((recipient) => (
        <option key={recipient}>{recipient}</option>
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
        <p className="text-balance text-muted">No email yet. The next one shows up here by itself.</p>
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
  if (!mails || !chosen) return <p className="text-muted">Opening the emails…</p>
  return (
    <div className="grid items-start gap-6 md:grid-cols-[16rem_1fr]">
      <MailList mails={mails} chosenId={chosen.id} read={read} onChoose={choose} />
      <MailView mail={chosen} />
    </div>
  )
}

const links = [
  ['/demo/inbox', 'Inbox'],
  ['/demo/emails', 'Previews'],
  ['/', `Back to ${product.name}`],
] as const

function Bar() {
  return (
    <header className="border-b border-line">
      <div className="page-width flex min-h-14 items-center justify-between">
        <span className="flex items-center gap-2 font-semibold tracking-tight">
          <AppMark />
          Demo
        </span>
        <nav aria-label="Demo" className="flex gap-4 text-14">
          {links.map(([path, name]) => (
            <a
              key={path}
              href={path}
              aria-current={path === location.pathname ? 'page' : undefined}
              className="link inline-flex min-h-11 items-center aria-[current]:font-semibold"
            >
              {name}
            </a>
          ))}
        </nav>
      </div>
    </header>
  )
}
