import type { ReactNode } from 'react'

type Tone = 'plain' | 'done' | 'amber'

const tones: Record<Tone, string> = {
  plain: 'bg-raised text-ink',
  done: 'bg-done-tint text-done',
  amber: 'bg-amber-tint text-amber',
}

/** A quiet sentence that is no error. One that comes later is announced if its place is in the page before: empty it takes no space. */
export function Notice({ tone = 'plain', children }: { tone?: Tone; children?: ReactNode }) {
  return (
    <p role="status" className={children ? `${box} ${tones[tone]}` : 'sr-only'}>
      {children}
    </p>
  )
}

const box = 'max-w-none rounded-field px-3 py-2.5 text-14 forced-colors:border'
