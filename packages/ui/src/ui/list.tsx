import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ActionButton } from './button.tsx'

interface RowsProps {
  label?: string
  /** From edge to edge at the end of a card. */
  inCard?: boolean
  children: ReactNode
}

/**
 * A list of rows, each an `<li>`. They have no padding, so that a whole row can be a link: use `CardEntry` in them.
 *
 * @example <Rows label="Links"><li><CardEntry title="example.com" /></li></Rows>
 */
export function Rows({ label, inCard = false, children }: RowsProps) {
  return (
    <ul aria-label={label} className={`divide-y divide-line ${inCard ? edgeToEdge : box}`}>
      {children}
    </ul>
  )
}

const box = 'rounded-card border border-line bg-surface *:first:rounded-t-card *:last:rounded-b-card'
const edgeToEdge = '-mx-4 border-t border-line last:-mb-4 sm:-mx-6 *:last:rounded-b-card'

/** Parts of a line with dots between them, never at its start or end. */
export function Dotted({ parts }: { parts: readonly ReactNode[] }) {
  return (
    // Each part has its dot in a margin that is clipped at the start of a line.
    <span className="block [clip-path:inset(-1rem_-100vw_-10rem_0)] rtl:[clip-path:inset(-1rem_0_-10rem_-100vw)]">
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

const item = "relative min-w-0 ps-4 before:absolute before:start-1.5 before:content-['·'/'']"

interface ShowMoreProps {
  query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>
  words: readonly [string, string]
}

export function ShowMore({ query, words }: ShowMoreProps) {
  if (!query.hasNextPage) return null
  return (
    <div>
      <ActionButton
        look="neutral"
        small
        words={words}
        isBusy={query.isFetchingNextPage}
        onClick={() => void query.fetchNextPage()}
      />
    </div>
  )
}
