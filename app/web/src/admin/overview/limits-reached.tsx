import { overviewTexts as texts } from '../../texts/admin.ts'
import { Card } from '../../ui/card.tsx'
import { formatNumber } from '../../ui/format.ts'
import { byLabel, type Metrics } from './metrics.ts'

/** Which rate limits rejected attempts, most first. */
export function LimitsReached({ metrics }: { metrics: Metrics }) {
  const reached = byLabel(metrics, 'identity_limits_reached_total', 'limit')
  return (
    <Card title={texts.limits}>
      <p className="text-14 text-muted">{reached.length === 0 ? texts.noLimits : texts.limitsLead}</p>
      {reached.length > 0 && (
        <table className="w-full text-14">
          <thead>
            <tr className="border-b border-line text-muted">
              <th scope="col" className="py-2 text-start font-medium">
                {texts.limit}
              </th>
              <th scope="col" className="py-2 text-end font-medium">
                {texts.attempts}
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {reached.map(([limit, count]) => (
              <tr key={limit}>
                <td className="py-2 font-mono wrap-anywhere">{limit}</td>
                <td className="py-2 text-end tabular-nums">{formatNumber(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}
