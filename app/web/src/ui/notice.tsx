import type { ReactNode } from 'react'

type Tone = 'plain' | 'done' | 'amber'

const tones: Record<Tone, string> = {
  plain: 'bg-raised text-ink',
  done: 'bg-done-tint text-done',
  amber: 'bg-amber-tint text-amber',
}

/** A sentence that is not an error. Rendered empty first, so that screen readers announce it. */
export function Notice({ tone = 'plain', children }: { tone?: Tone; children?: ReactNode }) {
  return (
    <p role="status" className={children ? `${box} ${tones[tone]}` : 'sr-only'}>
      {children}
    </p>
  )
}

const box = 'max-w-none rounded-field px-3 py-2.5 text-14 forced-colors:border'
