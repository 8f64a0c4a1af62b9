import { useQuery } from '@tanstack/react-query'
import { adminTexts, overviewTexts as texts } from '../../texts/admin.ts'
import { AdminScreen } from '../admin-screen.tsx'
import { readMetrics } from '../call.ts'
import { Loaded } from '../loaded.tsx'
import { FailedEmails } from './failed-emails.tsx'
import { Figures } from './figures.tsx'
import { Health } from './health.tsx'
import { LimitsReached } from './limits-reached.tsx'
import { parseMetrics } from './metrics.ts'

/** Milliseconds between two requests. */
const INTERVAL = 10_000

/** Health, figures, and what may need an operator. */
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
      <FailedEmails />
    </AdminScreen>
  )
}
