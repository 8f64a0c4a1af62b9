import { Skeleton } from '@ostiary/ui'
import { useQuery } from '@tanstack/react-query'
import { AdminScreen, Loaded } from '../admin-screen.tsx'
import { readMetrics, useStatistics } from '../call.ts'
import { adminTexts, overviewTexts as texts } from '../texts.ts'
import { Figures } from './figures.tsx'
import { parseMetrics } from './metrics.ts'
import { FailedEmails, Health, INTERVAL, LimitsReached, useFailedEmails, useHealth } from './panels.tsx'
import { SignInsChart } from './sign-ins-chart.tsx'

export function OverviewScreen() {
  const query = useQuery({
    queryKey: ['metrics'],
    queryFn: async () => parseMetrics(await readMetrics()),
    refetchInterval: INTERVAL,
    structuralSharing: false,
  })
  const first = [query, useHealth(), useStatistics(), useFailedEmails()]
  // Panels of unknown height would move those below.
  const isWaiting = first.some(({ isPending, failureCount }) => isPending && failureCount === 0)
  return (
    <AdminScreen title={adminTexts.pages.overview} lead={texts.lead}>
      {isWaiting ? (
        <Skeleton heights={['h-20', 'h-110 sm:h-52', 'h-24', 'h-60', 'h-24']} />
      ) : (
        <>
          <Health />
          <Loaded query={query} heights={['h-110 sm:h-52', 'h-24']}>
            {(metrics) => (
              <>
                <Figures metrics={metrics} />
                <LimitsReached metrics={metrics} />
              </>
            )}
          </Loaded>
          <SignInsChart />
          <FailedEmails />
        </>
      )}
    </AdminScreen>
  )
}
