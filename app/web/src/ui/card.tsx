import { type ReactNode, type Ref, useEffect, useId, useRef, useState } from 'react'
import { layoutTexts } from '../texts/layout.ts'
import { lazyPart } from './lazy-part.tsx'
import { Notice } from './page.tsx'

interface CardProps {
  title: string
  state?: ReactNode
  action?: ReactNode
  status?: string
  danger?: boolean
  headingRef?: Ref<HTMLHeadingElement>
  children?: ReactNode
}

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
      <Notice tone="done">{status}</Notice>
    </section>
  )
}

type Tone = 'plain' | 'done' | 'amber'

const tones: Record<Tone, string> = {
  plain: 'bg-raised text-muted',
  done: 'bg-done-tint text-done',
  amber: 'bg-amber-tint text-amber',
}

/** States are never shown by color alone. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={`rounded-small px-2 text-14 font-medium forced-colors:border ${tones[tone]}`}>
      {children}
    </span>
  )
}

/** Placeholders of the final height prevent a layout shift. */
export function Skeleton({ heights }: { heights: readonly string[] }) {
  return (
    <div role="status" className="grid gap-6">
      <span className="sr-only">{layoutTexts.loading}…</span>
      {heights.map((height, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <div key={index} className={`animate-wait rounded-card bg-raised ${height}`} />
      ))}
    </div>
  )
}

/** Lazy, because most visits end nothing. */
export const Confirmation = lazyPart(async () => (await import('./confirmation-panel.tsx')).ConfirmationPanel)

export function useFocusOn<E extends HTMLElement>() {
  const ref = useRef<E>(null)
  const [wanted, setWanted] = useState(0)
  useEffect(() => {
    if (wanted > 0) ref.current?.focus()
  }, [wanted])
  return { ref, focus: () => setWanted((count) => count + 1) }
}
