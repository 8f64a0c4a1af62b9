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
  if (calls.length === 0) return <p className="demo-note">{texts.none}</p>
  return (
    <>
      {openId !== undefined && !calls.some(({ id }) => id === openId) && (
        <p className="demo-note">{texts.gone}</p>
      )}
      {groupByFlow(calls).map((group) => (
        <Group key={group[0]?.seq} group={group} calls={calls} openId={openId} onOpen={onOpen} />
      ))}
    </>
  )
}

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

/** The last form of the same flow. */
function formBefore({ seq, flow_id }: RecordedCall, calls: readonly RecordedCall[]): RecordedCall['form'] {
  return calls.findLast((one) => one.seq < seq && one.flow_id === flow_id && one.form)?.form
}

function Row({ call, isOpen, onClick }: { call: RecordedCall; isOpen: boolean; onClick(): void }) {
  const { method, status, status_text, duration_ms } = call
  return (
    <button type="button" className="demo-row" aria-expanded={isOpen} onClick={onClick}>
      <span>{method}</span>
      <span className="demo-path">{shortPath(call)}</span>
      <span data-error={status >= 400 || undefined}>{`${status} ${status_text}`}</span>
      <span>{`${duration_ms} ms`}</span>
    </button>
  )
}
