import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { readSettings } from '../../api/env.ts'
import { callApi } from '../../api/request.ts'
import * as paths from '../../paths.ts'
import { layoutTexts } from '../../texts/layout.ts'
import { type Outline, OutlineSkeleton } from '../../ui/card.tsx'
import { FormError } from '../../ui/form/form-error.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Dotted, ShowMore } from '../../ui/list.tsx'
import { ActivityRows } from './activity-row.tsx'
import { activityTexts as texts } from './texts.ts'

/** The server's page size. */
const PAGE = 50

export const outline = (): Outline => ({
  lead: <Advice />,
  entries: Array.from({ length: 3 }, () => ({
    icon: <Icon>{null}</Icon>,
    title: texts.refused(texts.means.password),
    fact: <Dotted parts={[layoutTexts.justNow, texts.methods.totp]} />,
  })),
  inRows: true,
})

export function Screen() {
  const query = useInfiniteQuery({
    queryKey: ['account', 'activity'],
    queryFn: async ({ pageParam }) => {
      const query = pageParam === '' ? {} : { before: pageParam }
      return (await callApi('GET', '/account/activity', { query })).json
    },
    initialPageParam: '',
    getNextPageParam: (last) => (last.length < PAGE ? undefined : last.at(-1)?.id),
    retry: false,
    enabled: readSettings().account_api,
  })
  if (!readSettings().account_api) return <p className="text-muted">{texts.unavailable}</p>
  if (query.isError) return <FormError retry={() => void query.refetch()}>{texts.unlisted}</FormError>
  if (!query.data) return <OutlineSkeleton {...outline()} />
  const events = query.data.pages.flat()
  return (
    <>
      <Advice />
      {events.length === 0 ? <p className="text-muted">{texts.nothing}</p> : <ActivityRows events={events} />}
      <ShowMore query={query} words={texts.earlier} />
    </>
  )
}

function Advice() {
  return (
    <aside className="notice">
      <strong className="font-medium">{texts.unknown}</strong>{' '}
      <Link to={paths.security} className="link">
        {texts.changePassword}
      </Link>{' '}
      <span>{texts.and}</span>{' '}
      <Link to={paths.devices} className="link">
        {texts.signOutDevices}
      </Link>
      <span>.</span>
    </aside>
  )
}
