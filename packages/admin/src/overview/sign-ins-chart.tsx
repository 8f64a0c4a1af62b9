import { Card, locale, type z } from '@ostiary/ui'
import { formatDayOfMonth } from '@ostiary/ui/internal'
import { Loaded } from '../admin-screen.tsx'
import { useStatistics } from '../call.ts'
import type { statistics } from '../records.ts'
import { overviewTexts as texts } from '../texts.ts'

/** A list of bars with their numbers, so that it needs no other text. Phones show the newer week. */
export function SignInsChart() {
  const query = useStatistics()
  const isEmpty = query.data?.sign_ins.every(({ count }) => count === 0)
  return (
    <Card title={texts.signIns} fact={isEmpty ? texts.noSignIns : texts.signInsLead}>
      {!isEmpty && (
        <Loaded query={query} heights={['h-40']}>
          {({ sign_ins }) => <Bars days={sign_ins} />}
        </Loaded>
      )}
    </Card>
  )
}

function Bars({ days }: { days: readonly Day[] }) {
  const highest = Math.max(1, ...days.map(({ count }) => count))
  return (
    <ol className="grid auto-cols-fr grid-flow-col gap-1 text-center text-14 tabular-nums sm:gap-2">
      {days.map(({ day, count }, index) => (
        <li
          key={day}
          className={`grid gap-1 ${index < days.length - 7 ? 'max-sm:hidden' : ''} ${index < days.length - 3 ? 'max-[17rem]:hidden' : ''}`}
        >
          <span className="flex h-32 flex-col-reverse items-stretch">
            <span
              className="min-h-px rounded-t-small bg-accent forced-colors:bg-[CanvasText]"
              style={{ height: `${(80 * count) / highest}%` }}
            />
            <span className={count === 0 ? 'sr-only' : 'font-medium'}>{short.format(count)}</span>
          </span>
          <time dateTime={day} className="text-muted">
            {formatDayOfMonth(day)}
          </time>
        </li>
      ))}
    </ol>
  )
}

type Day = z.infer<typeof statistics>['sign_ins'][number]

const short = new Intl.NumberFormat(locale, { notation: 'compact' })
