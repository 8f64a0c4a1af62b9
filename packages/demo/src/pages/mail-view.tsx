import { Address, Button, Time } from '@ostiary/ui'
import { useState } from 'react'
import { demoTexts, inboxTexts as texts } from '../texts.ts'
import type { Mail } from './list-mails.ts'

export function MailView({ mail }: { mail: Mail }) {
  const { id, subject, recipient, created_at, template_type, code, use_url } = mail
  return (
    <article
      aria-label={subject}
      className="min-w-0 overflow-hidden rounded-card border border-line bg-surface"
    >
      <header className="grid gap-1 border-b border-line px-5 py-4">
        <h2 className="text-18 break-words">{subject}</h2>
        <p className="flex flex-wrap gap-x-3 text-14 text-muted">
          <span>
            {recipient ? (
              <>
                <span>{texts.to}</span> <Address plain>{recipient}</Address>
              </>
            ) : (
              template_type
            )}
          </span>
          {created_at && <Time of={created_at} />}
        </p>
        {code && <CodeActions key={id} code={code} useUrl={use_url} />}
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
      () => setCopied(demoTexts.copied),
      () => setCopied(texts.refused),
    )
  }
  return (
    <div className="mt-3 flex flex-wrap items-center gap-3">
      <Button onClick={() => void copy()}>
        <span>{demoTexts.copy}</span>{' '}
        <span translate="no" className="font-mono tracking-wider">
          {code}
        </span>
      </Button>
      {useUrl && (
        <a href={useUrl} className={useLink}>
          {texts.use}
        </a>
      )}
      <span role="status" className="text-14 text-done">
        {copied}
      </span>
    </div>
  )
}

const parts = ['HTML', 'Text'] as const
const widths = ['600 px', '320 px'] as const
const themes = ['Light', 'Dark'] as const

function Parts({ mail }: { mail: Mail }) {
  const [part, setPart] = useState<(typeof parts)[number]>('HTML')
  const [width, setWidth] = useState<(typeof widths)[number]>('600 px')
  const [theme, setTheme] = useState(systemTheme)
  return (
    <>
      <div className="flex flex-wrap gap-x-5 gap-y-2 border-b border-line px-5 py-2">
        <Choice name={texts.part} values={parts} value={part} onChoose={setPart} />
        {part === 'HTML' && (
          <>
            {/* A phone shows emails at its own width. */}
            <div className="max-md:hidden">
              <Choice name={texts.width} values={widths} value={width} onChoose={setWidth} />
            </div>
            <Choice name={texts.theme} values={themes} value={theme} onChoose={setTheme} />
          </>
        )}
      </div>
      {part === 'HTML' ? (
        // A sandboxed document without scripts: nothing in an email can affect this page.
        <iframe
          title={texts.emailOf(mail.subject)}
          src={`${mail.html_url}?theme=${theme.toLowerCase()}`}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          className={`mx-auto block min-h-192 max-w-full ${width === '320 px' ? 'w-80' : 'w-150'}`}
        />
      ) : (
        <section aria-label={texts.textPart}>
          <pre className="px-5 py-4 font-mono text-14 whitespace-pre-wrap">{mail.body}</pre>
        </section>
      )}
    </>
  )
}

function systemTheme(): (typeof themes)[number] {
  return window.matchMedia?.('(prefers-color-scheme: dark)').matches ? 'Dark' : 'Light'
}

interface ChoiceProps<Value extends string> {
  name: string
  values: readonly Value[]
  value: Value
  onChoose(value: NoInfer<Value>): void
}

function Choice<Value extends string>({ name, values, value, onChoose }: ChoiceProps<Value>) {
  return (
    <fieldset className="flex flex-wrap">
      <legend className="sr-only">{name}</legend>
      {values.map((one) => (
        <label key={one} className={choice}>
          <input
            type="radio"
            name={name}
            checked={one === value}
            onChange={() => onChoose(one)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          <span>{one}</span>
        </label>
      ))}
    </fieldset>
  )
}

const useLink =
  'inline-flex min-h-11 items-center rounded-field border border-edge px-4 font-medium transition-colors hover:bg-raised'
const choice =
  'relative inline-flex min-h-9 shrink-0 cursor-pointer items-center border border-edge px-3 text-14 text-muted first-of-type:rounded-s-field last-of-type:rounded-e-field not-first-of-type:border-s-0 hover:text-ink has-checked:bg-tint has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent has-checked:forced-highlight pointer-coarse:min-h-11'
