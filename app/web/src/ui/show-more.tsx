import { Button } from './button.tsx'

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
