import { serverNow } from '@ostiary/react/internal'
import { formatNumber, formatSeconds } from '@ostiary/ui'
import { formatShort } from '@ostiary/ui/internal'
import { overviewTexts } from '../texts.ts'
import { type Metrics, total } from './metrics.ts'

const texts = overviewTexts.figures

interface Figure {
  readonly name: string
  readonly value: string | undefined
  readonly note?: string
}

/** A few figures of this process. Prometheus has the rest and their history. */
export function Figures({ metrics }: { metrics: Metrics }) {
  const knownFigures = figuresOf(metrics).filter(({ value }) => value !== undefined)
  return (
    <dl className="grid gap-px min-[17rem]:grid-cols-2 overflow-hidden rounded-card border border-line bg-line sm:grid-cols-4">
      {knownFigures.map(({ name, value, note }) => (
        <div key={name} className="flex flex-col gap-1 bg-surface p-4 sm:px-6">
          <dt className="text-14 text-muted">{name}</dt>
          <dd className="grid">
            <span className="text-22 font-semibold tracking-tight tabular-nums">{value}</span>
            {note !== undefined && <span className="text-14 text-muted">{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function figuresOf(metrics: Metrics): Figure[] {
  const fromMetric = <T,>(name: string, write: (value: number) => T) => {
    const value = total(metrics, name)
    return value === undefined ? undefined : write(value)
  }
  const count = (name: string) => fromMetric(name, formatNumber)
  const note = overviewTexts.sinceStart
  return [
    { name: texts.sessions, value: count('identity_sessions_live'), note: overviewTexts.eachMinute },
    { name: texts.signIns, value: count('identity_sign_ins_total') ?? '0', note },
    { name: texts.refused, value: count('identity_sign_ins_refused_total') ?? '0', note },
    { name: texts.abandoned, value: count('identity_messages_abandoned_total') ?? '0', note },
    {
      name: texts.waiting,
      value: count('identity_messages_waiting'),
      note: fromMetric('identity_messages_oldest_seconds', (age) =>
        age > 0 ? overviewTexts.oldest(formatSeconds(age)) : undefined,
      ),
    },
    { name: texts.hashes, value: count('identity_hash_queue_waiting') },
    {
      name: texts.delay,
      value: fromMetric('nodejs_eventloop_lag_p99_seconds', (delay) =>
        formatShort(delay * 1000, 'millisecond'),
      ),
    },
    {
      name: texts.memory,
      value: fromMetric('process_resident_memory_bytes', (bytes) => formatShort(bytes / 2 ** 20, 'megabyte')),
      note: fromMetric('process_start_time_seconds', (start) =>
        overviewTexts.running(formatSeconds(serverNow() / 1000 - start)),
      ),
    },
  ]
}
