import { type Mail, useMails } from '../demo-inbox/list-mails.ts'
import type { Recording } from './calls.ts'
import { Code } from './people.tsx'

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })

/** Emails to the addresses of this browser first, newest first. */
export function Inbox({ recording }: { recording: Recording }) {
  const { data: mails } = useMails()
  if (!mails) return <p className="demo-note">Opening the inbox…</p>
  if (mails.length === 0)
    return <p className="demo-note">No email yet. The next one shows up here by itself.</p>
  const own = mails.filter(({ recipient }) => isOwn(recipient, recording))
  const others = mails.filter((mail) => !own.includes(mail))
  return (
    <>
      <ul className="demo-list">
        {[...own, ...others].map((mail) => (
          <MailRow key={mail.id} mail={mail} />
        ))}
      </ul>
      <p className="demo-note">
        <a href="/demo/inbox" className="link">
          Open the whole inbox
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

function MailRow({ mail: { recipient, subject, created_at, code, use_url } }: { mail: Mail }) {
  return (
    <li>
      <div>
        <h2>{subject}</h2>
        <p>
          {recipient}, <time dateTime={created_at}>{clock.format(new Date(created_at))}</time>
        </p>
      </div>
      {code && <Code code={code} useUrl={use_url} />}
    </li>
  )
}
