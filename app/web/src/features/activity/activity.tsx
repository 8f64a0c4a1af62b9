import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { readSettings } from '../../env.ts'
import * as paths from '../../paths.ts'
import { getJson } from '../../request.ts'
import { activityTexts as texts } from '../../texts/activity.ts'
import { FormError } from '../../ui/form-error.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ActivityRow } from './activity-row.tsx'
import type { ActivityEvent } from './words.ts'

/** The server's page size. */
const PAGE = 50

/** What happened to the account, newest first. */
export function Activity() {
  const query = useInfiniteQuery({
    queryKey: ['account', 'activity'],
    queryFn: async ({ pageParam }) => {
      const after = pageParam === '' ? '' : `?before=${pageParam}`
      return (await getJson(`/api/v1/account/activity${after}`)).json as ActivityEvent[]
    },
    initialPageParam: '',
    getNextPageParam: (last) => (last.length < PAGE ? undefined : last.at(-1)?.id),
    retry: false,
    enabled: readSettings().account_api,
  })
  if (!readSettings().account_api) return <p className="text-muted">{texts.unavailable}</p>
  if (query.isError) return <FormError retry={() => void query.refetch()}>{texts.unlisted}</FormError>
  if (!query.data) return <Skeleton heights={['h-64']} />
  const events = query.data.pages.flat()
  return (
    <>
      <aside className="rounded-field bg-raised px-4 py-3 text-14 forced-colors:border">
        <p>
          <strong className="font-medium">{texts.unknown}</strong>{' '}
          <Link to={paths.security} className="link">
            {texts.changePassword}
          </Link>{' '}
          {texts.and}{' '}
          <Link to={paths.devices} className="link">
            {texts.signOutDevices}
          </Link>
          .
        </p>
      </aside>
      {events.length === 0 ? (
        <p className="text-muted">{texts.nothing}</p>
      ) : (
        <ol className="divide-y divide-line rounded-card border border-line bg-surface">
          {events.map((event) => (
            <ActivityRow key={event.id} event={event} />
          ))}
        </ol>
      )}
      <ShowMore query={query} words={texts.earlier} />
    </>
  )
}
