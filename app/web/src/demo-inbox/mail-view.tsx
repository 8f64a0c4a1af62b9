import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import type { Mail } from './list-mails.ts'
import { Moment } from './mail-list.tsx'

export function MailView({ mail }: { mail: Mail }) {
  return (
    <article
      aria-label={mail.subject}
      className="min-w-0 overflow-hidden rounded-card border border-line bg-surface"
    >
      <header className="grid gap-1 border-b border-line px-5 py-4">
        <h2 className="text-18 break-words">{mail.subject}</h2>
        <p className="flex flex-wrap gap-x-3 text-14 text-muted">
          <span className="break-all">To {mail.recipient}</span>
          <Moment time={mail.created_at} />
        </p>
        {mail.code && <CodeActions code={mail.code} useUrl={mail.use_url} />}
      </header>
      <Parts mail={mail} />
    </article>
  )
}

function CodeActions({ code, useUrl }: { code: string; useUrl: string | undefined }) {
  const [copied, setCopied] = useState<string>()
  async function copy() {
    // Browsers refuse the clipboard on insecure pages; the code can still be read and typed.
    await navigator.clipboard.writeText(code).then(
      () => setCopied('Copied'),
      () => setCopied('Your browser did not allow it'),
    )
  }
  return (
    <div className="mt-3 flex flex-wrap items-center gap-3">
      <Button onClick={() => void copy()}>
        Copy <span className="font-mono tracking-wider">{code}</span>
      </Button>
      {useUrl && (
        <a href={useUrl} className={useLink}>
          Use the code
        </a>
      )}
      <span role="status" className="text-14 text-done">
        {copied}
      </span>
    </div>
  )
}

function Parts({ mail }: { mail: Mail }) {
  return (
    <div className="grid grid-cols-1 lg:grid-cols-2">
      {/* A sandboxed document without scripts: nothing in an email can affect this page. */}
      <iframe
        title={`Email: ${mail.subject}`}
        src={`/demo/mails/${encodeURIComponent(mail.id)}`}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        className="h-full min-h-192 w-full bg-raised"
      />
      <section aria-label="Text part" className="border-t border-line lg:border-t-0 lg:border-s">
        <h3 className="px-5 pt-4 text-14 text-muted">Text part</h3>
        <pre className="overflow-x-auto px-5 py-3 font-mono text-14 wrap-anywhere whitespace-pre-wrap">
          {mail.body}
        </pre>
      </section>
    </div>
  )
}

const useLink =
  'inline-flex min-h-11 items-center rounded-field border border-edge px-4 font-medium transition-colors hover:bg-raised'
