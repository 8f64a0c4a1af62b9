import { useEffect, useState } from 'react'
import type { WireEntry } from '../../../server/src/demo/wire.ts'
import { request } from '../api/request.ts'

/** Secrets are placeholders such as `$PASSWORD`. */
export type Call = WireEntry

export interface Session {
  readonly authenticator_assurance_level: string
  readonly expires_at: string
  readonly identity: { readonly traits: { readonly email?: string } }
}

export interface Recording {
  readonly calls: readonly Call[]
  /** Undefined until the first answer, `null` if no user is signed in. */
  readonly session: Session | null | undefined
  readonly isLost: boolean
}

const INTERVAL = 1000
const NOTHING: Recording = { calls: [], session: undefined, isLost: false }

/** The calls of this browser, oldest first. Asks for new ones while the panel is open and visible. */
export function useCalls(isOpen: boolean): Recording {
  const [recording, setRecording] = useState(NOTHING)
  useEffect(() => {
    if (!isOpen) return
    let isOver = false
    let timer: ReturnType<typeof setTimeout>
    let last = 0
    setRecording(NOTHING)
    const poll = async () => {
      if (!document.hidden) {
        const found = await fetchAfter(last)
        if (isOver) return
        last = found?.calls.at(-1)?.seq ?? last
        setRecording((before) => merge(before, found))
      }
      timer = setTimeout(() => void poll(), INTERVAL)
    }
    void poll()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [isOpen])
  return recording
}

type Found = Pick<Recording, 'calls' | 'session'>

async function fetchAfter(seq: number): Promise<Found | undefined> {
  try {
    const { json } = await request(`/demo/api/wire?after=${seq}`)
    const { entries, session } = json as { entries: Call[]; session: Session | null }
    return { calls: entries, session }
  } catch {
    return undefined
  }
}

function merge(before: Recording, found: Found | undefined): Recording {
  if (!found) return { ...before, isLost: true }
  const calls = found.calls.length > 0 ? [...before.calls, ...found.calls] : before.calls
  return { calls, session: found.session, isLost: false }
}

/** Neighbors of the same flow or, without one, subject. A new call extends the last group or opens another, so nothing moves. */
export function groupByFlow(calls: readonly Call[]): readonly (readonly Call[])[] {
  const groups: Call[][] = []
  for (const call of calls) {
    const last = groups.at(-1)
    const subject = (one: Call) => one.flow_id ?? subjectOf(one)
    if (last?.[0] && subject(last[0]) === subject(call)) last.push(call)
    else groups.push([call])
  }
  return groups
}

/** Without what all calls have, and with a short flow id. */
export function shortPath({ path }: Call): string {
  return path
    .replace(/^\/\.ory|\/self-service(?=\/)/g, '')
    .replace(/((?:flow|id)=[\da-f]{4})[\da-f-]{32}/, '$1…')
}

/** The kind of flow, or what else the call is about. */
export function subjectOf({ path }: Call): string {
  const kind = /\/self-service\/(\w+)/.exec(path)?.[1]
  if (/^\/demo\/providers\//.test(path)) return 'provider'
  if (kind === 'methods') return 'provider'
  return kind ?? (/\/sessions/.test(path) ? 'session' : 'service')
}
