import { Card, formatNumber, RequestFailed, Rows, z } from '@ostiary/ui'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { Loaded } from '../admin-screen.tsx'
import { call, usePages } from '../call.ts'
import { EmailRow } from '../emails/email-row.tsx'
import { email } from '../records.ts'
import { overviewTexts as texts } from '../texts.ts'
import { byLabel, type Metrics } from './metrics.ts'

/** Milliseconds between two requests. */
export const INTERVAL = 10_000

const version = z.object({ version: z.string() })

export function useHealth() {
  return useQuery({ queryKey: ['health'], queryFn: readHealth, refetchInterval: INTERVAL })
}

export function Health() {
  const query = useHealth()
  return (
    <section aria-label={texts.health}>
      <Loaded query={query} heights={['h-20']}>
        {({ isReady, version }) => (
          <div className="flex items-center gap-x-4 gap-y-1 rounded-card border border-line bg-surface p-4 max-[17rem]:flex-wrap sm:px-6">
            <span
              aria-hidden="true"
              className={`size-3 shrink-0 rounded-round ${isReady ? 'bg-done' : 'bg-danger'} forced-colors:border`}
            />
            <div className="min-w-0 flex-1 max-[17rem]:basis-full">
              <div className="flex flex-wrap items-baseline justify-between gap-x-4">
                <strong className="font-semibold">{isReady ? texts.ready : texts.notReady}</strong>
                <span className="text-14 text-muted">{texts.version(version)}</span>
              </div>
              <p className="text-14 text-muted">{isReady ? texts.readyDetail : texts.notReadyDetail}</p>
            </div>
          </div>
        )}
      </Loaded>
    </section>
  )
}

async function readHealth() {
  const ready = call('GET', '/health/ready').then(
    () => true,
    (error: unknown) => {
      if (error instanceof RequestFailed && error.status === 503) return false
      throw error
    },
  )
  const [isReady, about] = await Promise.all([ready, call('GET', '/version')])
  return { isReady, version: z.parse(version, about.json).version }
}

export function LimitsReached({ metrics }: { metrics: Metrics }) {
  const reached = byLabel(metrics, 'identity_limits_reached_total', 'limit')
  return (
    <Card title={texts.limits} fact={reached.length === 0 ? texts.noLimits : texts.limitsLead}>
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
                <td className="py-2 font-mono">{limit}</td>
                <td className="py-2 text-end tabular-nums">{formatNumber(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}

export function useFailedEmails() {
  return usePages(['emails', 'newest-failed'], '/courier/messages', email, {
    status: 'abandoned',
    page_size: 3,
  })
}

/** The newest abandoned emails. Each may be a user who waits for a code. */
export function FailedEmails() {
  const query = useFailedEmails()
  const isEmpty = query.data?.length === 0
  return (
    <Card title={texts.failed} fact={isEmpty && texts.noFailed}>
      {!isEmpty && (
        <Loaded query={query} heights={['h-16']}>
          {(emails) => (
            <>
              <Rows inCard>
                {emails.map((one) => (
                  <EmailRow key={one.id} email={one} />
                ))}
              </Rows>
              <Link to="/emails?status=abandoned" className="link justify-self-start text-14">
                {texts.allFailed}
              </Link>
            </>
          )}
        </Loaded>
      )}
    </Card>
  )
}
