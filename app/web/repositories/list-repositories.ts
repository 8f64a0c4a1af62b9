import { type ApiAnswer, callApi, locale } from '@ostiary/ui'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'

export type Repository = ApiAnswer<'/code-host/users/:username/repos'>[number]

export interface RepositoryList {
  readonly repositories: readonly Repository[]
  /** `live`, `cache`, `stale` or `sample`. */
  readonly source: string | null
  readonly age: number
  /** GitHub has more. */
  readonly isTruncated: boolean
}

/** Milliseconds between two attempts after an error. */
const RECOVERY_INTERVAL = 5000

export function useRepositories(user: string) {
  return useQuery({
    queryKey: ['githubRepos'],
    queryFn: () => listRepositories(user),
    refetchInterval: ({ state }) => (state.status === 'error' ? RECOVERY_INTERVAL : false),
  })
}

async function listRepositories(username: string): Promise<RepositoryList> {
  const { json, headers } = await callApi('GET', '/code-host/users/:username/repos', { param: { username } })
  return {
    repositories: json,
    source: headers.get('X-Data-Source'),
    age: Number(headers.get('Age') ?? 0),
    isTruncated: headers.has('X-Data-Truncated'),
  }
}

const orders = ['listed', 'stars', 'name'] as const
export type Order = (typeof orders)[number]

/** The filter and the order. The address keeps them, so that Back and a reload restore them. */
export interface Arrangement {
  readonly filter: string
  readonly order: Order
}

/** After the last key. */
const PAUSE_MS = 250

export function useArrangement() {
  const { search } = useLocation()
  const [arrangement, setArrangement] = useState(() => readArrangement(search))
  const pending = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(pending.current), [])
  function change(part: Partial<Arrangement>): void {
    const next = { ...arrangement, ...part }
    setArrangement(next)
    // Not by the router, which renders the page again. Safari allows 100 changes in 30 seconds.
    clearTimeout(pending.current)
    const write = () => history.replaceState(history.state, '', addressOf(next))
    pending.current = setTimeout(write, 'filter' in part ? PAUSE_MS : 0)
  }
  return { ...arrangement, change }
}

function readArrangement(search: string): Arrangement {
  const query = new URLSearchParams(search)
  return {
    filter: query.get('filter') ?? '',
    order: orders.find((order) => order === query.get('sort')) ?? 'listed',
  }
}

function addressOf({ filter, order }: Arrangement): string {
  const query = new URLSearchParams({
    ...(filter && { filter }),
    ...(order !== 'listed' && { sort: order }),
  })
  return query.size > 0 ? `?${query}` : location.pathname
}

const names = new Intl.Collator(locale)

export function filterAndSort(
  repositories: readonly Repository[],
  filter: string,
  order: Order,
): readonly Repository[] {
  const filterText = filter.trim().toLowerCase()
  const matches = repositories.filter(({ name }) => name.toLowerCase().includes(filterText))
  if (order === 'listed') return matches
  if (order === 'name') return matches.toSorted((one, other) => names.compare(one.name, other.name))
  return matches.toSorted((one, other) => other.stargazers_count - one.stargazers_count)
}

/** Calls the protected endpoint, as the specification asks. The result is unused. */
export function useProtectedUser(): void {
  useQuery({ queryKey: ['testep'], queryFn: async () => (await callApi('GET', '/cash/protected_user')).json })
}
