import {
  ButtonLink,
  FormError,
  MessagePage,
  Notice,
  RequestFailed,
  Skeleton,
  usePageTitle,
} from '@ostiary/ui'
import { LostDrawing, PageIntro, ShowMore } from '@ostiary/ui/internal'
import type { UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { adminTexts as texts } from './texts.ts'

interface AdminScreenProps {
  /** Also of the document. */
  title: string
  lead?: string
  heading?: ReactNode
  children: ReactNode
}

export function AdminScreen({ title, heading, lead, children }: AdminScreenProps) {
  usePageTitle(title)
  return (
    <div className="page-width grid grid-cols-1 content-start gap-6 py-6 md:py-10">
      {heading ?? <PageIntro title={title} lead={lead} gap="gap-1" />}
      {children}
    </div>
  )
}

/** Instead of a page or record that does not exist. */
export function Missing({ heading, text, to, back }: Record<'heading' | 'text' | 'to' | 'back', string>) {
  usePageTitle(heading)
  return (
    <MessagePage
      drawing={<LostDrawing />}
      heading={heading}
      actions={<ButtonLink to={to}>{back}</ButtonLink>}
    >
      {text}
    </MessagePage>
  )
}

interface LoadedProps<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isError' | 'failureCount' | 'refetch'>
  heights: readonly string[]
  children(data: T): ReactNode
}

/** The loaded data, or why it is missing. Data that cannot be refreshed stays, marked as stale. */
export function Loaded<T>({ query, heights, children }: LoadedProps<T>) {
  const { data, error, isError, failureCount, refetch } = query
  if (data === undefined && isError)
    return <FormError retry={() => void refetch()}>{sentenceOf(error)}</FormError>
  const isStale = data !== undefined && isError
  return (
    <>
      <Notice>{isStale ? texts.stale : failureCount > 0 ? texts.retrying : undefined}</Notice>
      {data === undefined ? <Skeleton heights={heights} /> : children(data)}
    </>
  )
}

export function sentenceOf(error: unknown): string {
  return error instanceof RequestFailed ? error.message : texts.unlisted
}

interface RecordsProps<T> {
  query: UseInfiniteQueryResult<T[]>
  heights: readonly string[]
  empty: ReactNode
  children(records: readonly T[]): ReactNode
}

export function Records<T>({ query, heights, empty, children }: RecordsProps<T>) {
  return (
    <Loaded query={query} heights={heights}>
      {(records) => (
        <>
          {records.length === 0 ? empty : children(records)}
          <ShowMore query={query} words={texts.more} />
        </>
      )}
    </Loaded>
  )
}
