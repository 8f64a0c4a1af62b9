import { RequestFailed, z } from '@ostiary/ui'
import { request } from '@ostiary/ui/internal'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { askToken, readAccess } from './admin-token.ts'
import { statistics } from './records.ts'
import { adminTexts } from './texts.ts'

/** Calls the admin API of this port and throws `RequestFailed`. A refused token opens the token form. */
export async function call(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  ifMatch?: string,
): Promise<{ json: unknown; headers: Headers }> {
  const headers = {
    ...authorization(),
    ...(ifMatch && { 'If-Match': ifMatch }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  }
  const init = { method, headers, body: JSON.stringify(body) }
  return await request(`/admin${path}`, init).catch((error: unknown) => {
    if (error instanceof RequestFailed && error.status === 401) askToken()
    throw error
  })
}

export async function readMetrics(): Promise<string> {
  const response = await fetch('/metrics', { headers: authorization() })
  if (response.status === 401) askToken()
  if (!response.ok) throw new RequestFailed(adminTexts.noMetrics, response.status)
  return await response.text()
}

export async function isAcceptedToken(token: string): Promise<boolean> {
  const { ok, status } = await fetch('/admin/version', { headers: { Authorization: `Bearer ${token}` } })
  if (!ok && status !== 401) throw new RequestFailed(adminTexts.unreachable, status)
  return ok
}

/** The `page_token` of the next page in a `Link` header (RFC 8288). */
function nextPage(headers: Headers): string | undefined {
  const [, next = ''] = /<([^>]*)>;\s*rel="next"/.exec(headers.get('Link') ?? '') ?? []
  return new URLSearchParams(next.split('?', 2)[1]).get('page_token') ?? undefined
}

function authorization(): Record<string, string> {
  const { token } = readAccess()
  return token ? { Authorization: `Bearer ${token}` } : {}
}

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
      const records = z.parse(z.array(record), json)
      // Numbered pages, as of sessions, name a next one even if it is empty.
      return { records, next: records.length < Number(page_size) ? undefined : nextPage(headers) }
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => pages.flatMap(({ records }) => records),
  })
}

export function useStatistics() {
  return useQuery({
    queryKey: ['accounts', 'statistics'],
    queryFn: async () => z.parse(statistics, (await call('GET', '/statistics')).json),
  })
}
