import type { ReactNode } from 'react'
import { Button } from './button.tsx'

interface RowsProps {
  label?: string
  /** From screen readers: it only keeps a place. */
  isHidden?: boolean
  children: ReactNode
}

/** A bordered list of rows. */
export function Rows({ label, isHidden, children }: RowsProps) {
  return (
    <ul
      aria-label={label}
      aria-hidden={isHidden}
      className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface"
    >
      {children}
    </ul>
  )
}

/** Parts of a line with dots between them. Each stays whole, and no dot stands at the start or end of a line. */
export function Dotted({ parts }: { parts: readonly ReactNode[] }) {
  return (
    // Each part has its dot before it, in a margin that is cut off where a line begins.
    <span className="block [clip-path:inset(-10rem_-100vw_-1rem_0)] rtl:[clip-path:inset(-10rem_0_-1rem_-100vw)]">
      <span className="-ms-4 flex flex-wrap">
        {parts.filter(Boolean).map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other name
          <span key={index} className={item}>
            {part}
          </span>
        ))}
      </span>
    </span>
  )
}

const item = "relative min-w-0 ps-4 wrap-anywhere before:absolute before:start-1.5 before:content-['·'/'']"

interface ShowMoreProps {
  query: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    fetchNextPage(): Promise<unknown>
  }
  /** What the button says, and what it says while it works. */
  words: readonly [string, string]
}

/** The next page of a list, where there is one. */
export function ShowMore({ query, words }: ShowMoreProps) {
  if (!query.hasNextPage) return null
  return (
    <div>
      <Button
        look="neutral"
        small
        busy={query.isFetchingNextPage ? words[1] : undefined}
        onClick={() => void query.fetchNextPage()}
      >
        {words[0]}
      </Button>
    </div>
  )
}
