import { CopyButton, TickIcon } from '@ostiary/ui'
import type { ReactNode } from 'react'
import { showcaseTexts as texts } from './texts.ts'

const COMMAND = 'npm start'

export function Showcase() {
  return (
    <section aria-labelledby="conversation" className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 id="conversation" className="text-18">
          {texts.conversation}
        </h2>
        <p className="flex items-center gap-3">
          <code className="font-mono text-14">{COMMAND}</code>
          <CopyButton text={COMMAND}>{texts.copy}</CopyButton>
        </p>
      </div>
      <Conversation />
    </section>
  )
}

/** The form fills in while its calls appear. Static with reduced motion. */
function Conversation() {
  return (
    <figure className="overflow-hidden rounded-card border border-line bg-surface text-14">
      <figcaption className="sr-only">{texts.preview}</figcaption>
      <div aria-hidden="true" className="grid md:grid-cols-[2fr_3fr]">
        <div className="in-turn grid content-center gap-4 p-4 sm:p-8">
          <Field label={texts.email}>{texts.address}</Field>
          <Field label={texts.password}>••••••••••••</Field>
          <p className="flex animate-appear items-center gap-2 py-2 font-medium text-done">
            <TickIcon />
            <span>{texts.signedIn}</span>
          </p>
        </div>
        <ol className="in-turn grid content-center gap-4 border-line p-4 font-mono max-md:border-t sm:p-8 md:border-s">
          {texts.calls.map(({ call, found }) => (
            <li key={call} className="grid animate-appear gap-1">
              <p className="flex justify-between gap-4">
                <span className="wrap-anywhere">{call}</span>
                <span className="shrink-0 text-done">200</span>
              </p>
              <p className="border-s-2 border-accent ps-3 text-muted">{found}</p>
            </li>
          ))}
        </ol>
      </div>
    </figure>
  )
}

function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-1">
      <p className="font-medium">{label}</p>
      <p className="rounded-field bg-raised px-3 py-2 text-muted">
        <span className="animate-appear">{children}</span>
      </p>
    </div>
  )
}
