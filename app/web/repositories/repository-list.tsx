import {
  Button,
  EmptyDrawing,
  FormError,
  formatDay,
  formatNumber,
  formatSeconds,
  Icon,
  Notice,
  Rows,
} from '@ostiary/ui'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { ListControls } from './list-controls.tsx'
import {
  filterAndSort,
  type RepositoryList as List,
  type Repository,
  useArrangement,
  useRepositories,
} from './list-repositories.ts'
import { repositoryTexts as texts } from './texts.ts'

export function RepositoryList({ user }: { user: string }) {
  const { data, error, refetch } = useRepositories(user)
  // A link to this page shows all of the list again.
  const { key } = useLocation()
  if (data?.repositories.length === 0) return <Empty user={user} />
  if (data) return <Arranged key={key} user={user} list={data} />
  if (error) return <FormError retry={() => void refetch()}>{texts.error(error.message)}</FormError>
  return <ListSkeleton>{texts.loading(user)}</ListSkeleton>
}

function Arranged({ user, list: { repositories, source, age, isTruncated } }: { user: string; list: List }) {
  const { filter, order, change } = useArrangement()
  const shownRepositories = filterAndSort(repositories, filter, order)
  const controls = repositories.length >= MIN_FOR_CONTROLS && (
    <ListControls filter={filter} order={order} onChange={change} />
  )
  return (
    <section aria-label={texts.list(user)} className="grid grid-cols-1 gap-4">
      {source === 'stale' && <Notice>{texts.stale(formatSeconds(age))}</Notice>}
      <Header height={controls ? full : undefined} controls={controls}>
        <span>
          {texts.count(
            formatNumber(shownRepositories.length),
            formatNumber(repositories.length),
            isTruncated,
          )}
        </span>{' '}
        <NewTabLink href={repositories[0]?.owner.html_url} className="link me-3">
          {user}
        </NewTabLink>{' '}
        {source === 'sample' && (
          <span className="inline-block rounded-small bg-amber-tint px-2 text-amber forced-colors:border">
            {texts.sample(formatDay(SAMPLE_DAY))}
          </span>
        )}
      </Header>
      <div className={controls ? least : undefined}>
        {shownRepositories.length === 0 ? (
          <div className="grid justify-items-center gap-4 py-12 text-center">
            <p className="text-muted">{texts.noMatch(filter.trim())}</p>
            <Button look="neutral" onClick={() => change({ filter: '' })}>
              {texts.clear}
            </Button>
          </div>
        ) : (
          <Rows>
            {shownRepositories.map((repository) => (
              <RepositoryRow key={repository.id} repository={repository} />
            ))}
          </Rows>
        )}
      </div>
    </section>
  )
}

/** The day on which `app/server/code-host/sample-repositories.ts` was copied from GitHub. */
const SAMPLE_DAY = '2026-08-24'

/** Rows from which on finding one takes a filter. */
const MIN_FOR_CONTROLS = 8
/** Their height, so that what is below stays in place when a filter leaves fewer. */
const least = 'min-h-144'

const full = 'min-h-18 max-sm:min-h-26 max-sm:content-start'

interface HeaderProps {
  /** With controls. */
  height?: string | undefined
  controls?: ReactNode
  children: ReactNode
}

function Header({ height = '', controls, children }: HeaderProps) {
  return (
    <div className={`flex flex-wrap items-end justify-between gap-x-6 gap-y-3 ${height}`}>
      <p role="status" className="text-14 text-muted tabular-nums">
        {children}
      </p>
      {controls}
    </div>
  )
}

function Empty({ user }: { user: string }) {
  return (
    <section aria-label={texts.list(user)} className="grid justify-items-center gap-4 py-12 text-center">
      <EmptyDrawing />
      <p className="text-muted">{texts.empty(user)}</p>
    </section>
  )
}

export function ListSkeleton({ children }: { children: string }) {
  return (
    <div className="needs-scripts">
      <div className="grid gap-4">
        <Header height={full}>{children}</Header>
        <div className="skeleton" />
      </div>
    </div>
  )
}

function RepositoryRow({ repository }: { repository: Repository }) {
  const { name, html_url, description, stargazers_count } = repository
  return (
    <li className="relative px-4 py-3.5 transition-colors focus-within:bg-tint hover:bg-tint sm:px-5">
      <div className="flex items-baseline justify-between gap-4">
        <NewTabLink href={html_url} className={nameLink}>
          {name}
        </NewTabLink>
        <span className="shrink-0 text-14 text-muted tabular-nums">
          <Icon className="me-1 inline size-4 align-[-0.2em]">
            <path d="m10 3.2 2.1 4.3 4.7.7-3.4 3.3.8 4.7-4.2-2.2-4.2 2.2.8-4.7L3.2 8.2l4.7-.7z" />
          </Icon>
          <span>{formatNumber(stargazers_count)}</span> <span className="sr-only">{texts.stars}</span>
        </span>
      </div>
      {description && <p className="text-14 break-words sm:line-clamp-2 text-muted">{description}</p>}
    </li>
  )
}

// The link covers the whole row.
const nameLink = 'min-w-0 font-medium text-accent before:absolute before:inset-0 hover:underline'

interface NewTabLinkProps {
  href: string | undefined
  className: string
  children: string
}

function NewTabLink({ href, className, children }: NewTabLinkProps) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={className}>
      <span translate="no">{`${children}\u2060`}</span>
      <Icon className="ms-1 inline size-3.5 align-[-0.125em]">
        <path d="M7 5h8v8M15 5l-9.5 9.5" />
      </Icon>
      <span className="sr-only">{texts.newTab}</span>
    </a>
  )
}
