import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { RequestFailed } from '../request.ts'
import { adminTexts as texts } from '../texts/admin.ts'
import { Button } from '../ui/button.tsx'
import { FormError } from '../ui/form-error.tsx'
import { Notice } from '../ui/notice.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

interface LoadedProps<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isError' | 'failureCount' | 'refetch'>
  /** Of what stands in its place while it loads. */
  heights: readonly string[]
  children(data: T): ReactNode
}

/** What the admin API answered, or why it is not there; data that cannot be refreshed stay, and say so. */
export function Loaded<T>({ query, heights, children }: LoadedProps<T>) {
  const { data, error, isError, failureCount, refetch } = query
  if (data === undefined && isError)
    return <FormError retry={() => void refetch()}>{sentenceOf(error)}</FormError>
  const isStale = data !== undefined && isError
  return (
    <>
      <Notice tone="amber">{isStale ? texts.stale : failureCount > 0 ? texts.retrying : undefined}</Notice>
      {data === undefined ? <Skeleton heights={heights} /> : children(data)}
    </>
  )
}

export function sentenceOf(error: unknown): string {
  return error instanceof RequestFailed ? error.message : texts.unlisted
}

/** The next page of a list, where there is one. */
export function ShowMore<T>({ query }: { query: UseInfiniteQueryResult<InfiniteData<T>> }) {
  if (!query.hasNextPage) return null
  return (
    <div>
      <Button
        look="neutral"
        small
        busy={query.isFetchingNextPage ? texts.more[1] : undefined}
        onClick={() => void query.fetchNextPage()}
      >
        {texts.more[0]}
      </Button>
    </div>
  )
}

/** A bordered list of rows. */
export const rows = 'divide-y divide-line overflow-hidden rounded-card border border-line bg-surface'
