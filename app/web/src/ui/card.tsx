import { type ReactNode, type Ref, useId } from 'react'

interface CardProps {
  title: string
  /** One word or two beside the title: "On", "3 left". */
  state?: ReactNode
  /** The action, at the end of the first line. */
  action?: ReactNode
  /** What was just changed; announced by screen readers. */
  status?: string | undefined
  /** Marks what cannot be undone. */
  danger?: boolean
  headingRef?: Ref<HTMLHeadingElement>
  children?: ReactNode
}

/** One subject of the account. */
export function Card({ title, state, action, status, danger = false, headingRef, children }: CardProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className={`grid gap-4 rounded-card border bg-surface p-4 sm:p-6 ${danger ? 'border-danger' : 'border-line'}`}
    >
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 grow basis-20 flex-wrap items-center gap-x-3 gap-y-1">
          <h2 id={id} ref={headingRef} tabIndex={-1} className="text-16 focus:outline-none">
            {title}
          </h2>
          {state}
        </div>
        {action}
      </div>
      {children}
      <CardStatus>{status}</CardStatus>
    </section>
  )
}

/** Always in the page, so that screen readers announce its text. */
export function CardStatus({ children }: { children?: string | undefined }) {
  return (
    <p role="status" className={children ? done : 'sr-only'}>
      {children}
    </p>
  )
}

type Tone = 'plain' | 'done' | 'amber'

const tones: Record<Tone, string> = {
  plain: 'bg-raised text-muted',
  done: 'bg-done-tint text-done',
  amber: 'bg-amber-tint text-amber',
}

/** A state in words, not by colour alone. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={`rounded-small px-2 text-14 font-medium forced-colors:border ${tones[tone]}`}>
      {children}
    </span>
  )
}

const done = 'max-w-none rounded-field bg-done-tint px-3 py-2.5 text-14 text-done forced-colors:border'
