import { useQuery } from '@tanstack/react-query'
import { RequestFailed } from '../../request.ts'
import { z } from '../../schema.ts'
import { overviewTexts as texts } from '../../texts/admin.ts'
import { call } from '../call.ts'
import { Loaded } from '../loaded.tsx'

const version = z.object({ version: z.string() })

/** Whether the server is ready, and its version. */
export function Health({ interval }: { interval: number }) {
  const query = useQuery({ queryKey: ['health'], queryFn: readHealth, refetchInterval: interval })
  return (
    <section aria-label={texts.health}>
      <Loaded query={query} heights={['h-20']}>
        {({ isReady, version }) => (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1 rounded-card border border-line bg-surface p-4 sm:px-6">
            <span
              aria-hidden="true"
              className={`size-3 rounded-round ${isReady ? 'bg-done' : 'bg-danger'} forced-colors:border`}
            />
            <p className="min-w-0 max-w-none flex-1">
              <strong className="block font-semibold">{isReady ? texts.ready : texts.notReady}</strong>
              <span className="text-14 text-muted">{isReady ? texts.readyDetail : texts.notReadyDetail}</span>
            </p>
            <p className="text-14 text-muted">{texts.version(version)}</p>
          </div>
        )}
      </Loaded>
    </section>
  )
}

async function readHealth() {
  const [isReady, about] = await Promise.all([readReady(), call('GET', '/version')])
  return { isReady, version: z.parse(version, about.json).version }
}

async function readReady(): Promise<boolean> {
  try {
    await call('GET', '/health/ready')
    return true
  } catch (error) {
    if (error instanceof RequestFailed && error.status === 503) return false
    throw error
  }
}
