import { request } from '@ostiary/ui/internal'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { RecordedCall } from '../../server/wire.ts'
import { DEMO } from '../pages/follow-changes.ts'

interface BrowserSession {
  readonly authenticator_assurance_level: string
  readonly expires_at: string
  readonly identity: { readonly traits: { readonly email?: string } }
}

export interface Recording {
  readonly calls: readonly RecordedCall[]
  /** Undefined until the first answer, `null` if no user is signed in. */
  readonly session: BrowserSession | null | undefined
  /** The time of the demo, which its clock may have moved. */
  readonly now: string
  readonly isLost: boolean
}

const queryKey = [DEMO, 'wire']

/** The calls of this browser, oldest first. */
export function useCalls(): Recording {
  const cache = useQueryClient()
  const { data, isError } = useQuery({
    queryKey,
    queryFn: async () => {
      const { calls } = cache.getQueryData<Pick<Recording, 'calls'>>(queryKey) ?? { calls: [] }
      const { json } = await request(`/demo/api/wire?after=${calls.at(-1)?.seq ?? 0}`)
      const { entries, ...rest } = json as {
        entries: RecordedCall[]
        session: BrowserSession | null
        now: string
      }
      return { calls: [...calls, ...entries], ...rest }
    },
    retry: false,
    // Starts over after the panel was closed.
    gcTime: 0,
    // Renders after each answer, because of the time left.
    structuralSharing: false,
  })
  return { calls: [], session: undefined, now: '', ...data, isLost: isError }
}

/** Neighbors of the same flow or, without one, subject. A new call extends the last group or opens another, so nothing moves. */
export function groupByFlow(calls: readonly RecordedCall[]): readonly (readonly RecordedCall[])[] {
  const groups: RecordedCall[][] = []
  for (const call of calls) {
    const last = groups.at(-1)
    const subject = (one: RecordedCall) => one.flow_id ?? subjectOf(one)
    if (last?.[0] && subject(last[0]) === subject(call)) last.push(call)
    else groups.push([call])
  }
  return groups
}

/** Without what all calls have, and without the query. */
export function shortPath({ path }: RecordedCall): string {
  return path.replace(/^\/\.ory|\/self-service(?=\/)|\?.*/g, '')
}

/** The kind of flow, or what else the call is about. */
export function subjectOf({ path }: RecordedCall): string {
  const kind = /\/self-service\/(\w+)/.exec(path)?.[1]
  if (/^\/demo\/providers\//.test(path)) return 'provider'
  if (kind === 'methods') return 'provider'
  return kind ?? (/\/sessions/.test(path) ? 'session' : 'service')
}
