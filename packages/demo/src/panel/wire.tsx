import { useLayoutEffect, useRef } from 'react'
import type { RecordedCall } from '../../server/wire.ts'
import { wireTexts as texts } from '../texts.ts'
import { groupByFlow, shortPath, subjectOf } from './calls.ts'
import { Details } from './details.tsx'

interface WireProps {
  calls: readonly RecordedCall[]
  openId: string | undefined
  onOpen(id: string | undefined): void
}

/** The calls of this browser, oldest first, so that a new one moves nothing. */
export function Wire({ calls, openId, onOpen }: WireProps) {
  const end = useNewestShown(calls.length, openId === undefined)
  if (calls.length === 0) return <p className="demo-note">{texts.none}</p>
  return (
    <>
      <p className="demo-note">{texts.lead}</p>
      {openId !== undefined && !calls.some(({ id }) => id === openId) && (
        <p className="demo-note">{texts.gone}</p>
      )}
      {groupByFlow(calls).map((group) => (
        <Group key={group[0]?.seq} group={group} calls={calls} openId={openId} onOpen={onOpen} />
      ))}
      <div ref={end} />
    </>
  )
}

/** Scrolls to a new call, unless one is open or the user has scrolled away from the end. */
function useNewestShown(count: number, isFollowing: boolean) {
  const end = useRef<HTMLDivElement>(null)
  const height = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each new call
  useLayoutEffect(() => {
    const list = end.current?.parentElement
    if (!list) return
    const wasAtEnd = list.scrollTop + list.clientHeight >= height.current - NEAR
    if (isFollowing && wasAtEnd) list.scrollTop = list.scrollHeight
    height.current = list.scrollHeight
  }, [count, isFollowing])
  return end
}

/** Pixels. */
const NEAR = 40

function Group({ group, calls, openId, onOpen }: { group: readonly RecordedCall[] } & WireProps) {
  const [first] = group
  if (!first) return null
  const name = first.flow_id ? `${subjectOf(first)} flow ${first.flow_id.slice(0, 8)}` : subjectOf(first)
  return (
    <section aria-label={name}>
      <h2>{name}</h2>
      <ul>
        {group.map((call) => (
          <li key={call.seq}>
            <Row
              call={call}
              isOpen={call.id === openId}
              onClick={() => onOpen(call.id === openId ? undefined : call.id)}
            />
            {call.id === openId && <Details call={call} before={formBefore(call, calls)} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

function formBefore({ seq, flow_id }: RecordedCall, calls: readonly RecordedCall[]): RecordedCall['form'] {
  return calls.findLast((one) => one.seq < seq && one.flow_id === flow_id && one.form)?.form
}

function Row({ call, isOpen, onClick }: { call: RecordedCall; isOpen: boolean; onClick(): void }) {
  const { method, status, status_text, duration_ms } = call
  return (
    <button type="button" className="demo-row" aria-expanded={isOpen} onClick={onClick}>
      <span>{method}</span>
      <span className="demo-path">{shortPath(call)}</span>
      {/* 422 sends a script to another page. */}
      <span data-error={(status >= 400 && status !== 422) || undefined}>{status}</span>{' '}
      <span className="sr-only">{status_text}</span>
      <span>{`${duration_ms} ms`}</span>
    </button>
  )
}
