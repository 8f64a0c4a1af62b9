import { useQuery } from '@tanstack/react-query'
import { AdminScreen, Loaded } from '../admin-screen.tsx'
import { readMetrics } from '../call.ts'
import { adminTexts, overviewTexts as texts } from '../texts.ts'
import { Figures } from './figures.tsx'
import { parseMetrics } from './metrics.ts'
import { FailedEmails, Health, LimitsReached } from './panels.tsx'
import { SignInsChart } from './sign-ins-chart.tsx'

/** Milliseconds between two requests. */
const INTERVAL = 10_000

export function OverviewScreen() {
  const query = useQuery({
    queryKey: ['metrics'],
    queryFn: async () => parseMetrics(await readMetrics()),
    refetchInterval: INTERVAL,
    structuralSharing: false,
  })
  return (
    <AdminScreen title={adminTexts.pages.overview} lead={texts.lead}>
      <Health interval={INTERVAL} />
      <Loaded query={query} heights={['h-52', 'h-40']}>
        {(metrics) => (
          <>
            <Figures metrics={metrics} />
            <LimitsReached metrics={metrics} />
          </>
        )}
      </Loaded>
      <SignInsChart />
      <FailedEmails />
    </AdminScreen>
  )
}
