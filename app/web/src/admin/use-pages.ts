import { useInfiniteQuery } from '@tanstack/react-query'
import { z } from '../schema.ts'
import { call, nextPage } from './call.ts'

/** A list of the admin API, read page by page. */
export function usePages<T>(
  queryKey: readonly unknown[],
  path: string,
  record: z.ZodMiniType<T>,
  { page_size = 50, ...filter }: Readonly<Record<string, string | number>> = {},
) {
  return useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam }) => {
      const query = new URLSearchParams({ ...filter, page_size: String(page_size) })
      if (pageParam) query.set('page_token', pageParam)
      const { json, headers } = await call('GET', `${path}?${query}`)
      return { records: z.parse(z.array(record), json), next: nextPage(headers) }
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => pages.flatMap(({ records }) => records),
  })
}
