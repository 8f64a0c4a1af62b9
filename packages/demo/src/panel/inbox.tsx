import { Address } from '@ostiary/ui'
import { formatTimeOrDay } from '@ostiary/ui/internal'
import { type Mail, useMails } from '../pages/list-mails.ts'
import { inboxTexts as texts } from '../texts.ts'
import type { Recording } from './calls.ts'
import { Part } from './details.tsx'
import { Code } from './people.tsx'

/** Emails to the addresses of this browser first, newest first. */
export function Inbox({ recording }: { recording: Recording }) {
  const { data: mails } = useMails('mails')
  if (!mails) return <p className="demo-note">{texts.openingInbox}</p>
  const ownMails = mails.filter(({ recipient = '' }) => isOwn(recipient, recording))
  const others = mails.filter((mail) => !ownMails.includes(mail))
  return (
    <>
      <ul className="demo-list">
        {[...ownMails, ...others].map((mail) => (
          <MailRow key={mail.id} mail={mail} />
        ))}
      </ul>
      {mails.length === 0 && <p className="demo-note">{texts.none}</p>}
      <p className="demo-note">
        <a href="/demo/inbox" className="link">
          {texts.whole}
        </a>
        <a href="/demo/emails" className="link">
          {texts.preview}
        </a>
      </p>
    </>
  )
}

/** The address was in a call of this browser. */
function isOwn(recipient: string, { calls, session }: Recording): boolean {
  const quoted = `"${recipient}"`
  return (
    session?.identity.traits.email === recipient ||
    calls.some(({ request = '', response = '' }) => request.includes(quoted) || response.includes(quoted))
  )
}

function MailRow({ mail }: { mail: Mail }) {
  const { html_url, recipient, subject, body, created_at = '', code, use_url } = mail
  return (
    <li>
      <div>
        <h2>{subject}</h2>
        <p>
          {recipient && (
            <>
              <Address plain>{recipient}</Address> <span>·</span>{' '}
            </>
          )}
          <time dateTime={created_at}>{formatTimeOrDay(created_at)}</time>
        </p>
      </div>
      {code && <Code code={code} useUrl={use_url} />}
      <a href={html_url} target="_blank" rel="noreferrer" className="link">
        <span>{texts.html}</span> <span className="sr-only">{texts.newTab}</span>
      </a>
      <Part title={texts.text}>{body}</Part>
    </li>
  )
}
