import { Dotted } from '../../ui/dotted.tsx'
import { AlertIcon } from '../../ui/icons.tsx'
import { Time } from '../../ui/time.tsx'
import { type ActivityEvent, describeEvent } from './words.ts'

export function ActivityRow({ event }: { event: ActivityEvent }) {
  const { outcome, created_at, device, client_address } = event
  const isRefused = outcome === 'refused'
  return (
    <li className="flex items-start gap-4 p-4 sm:px-6">
      <span className={isRefused ? 'text-danger' : 'text-muted'}>
        {isRefused ? (
          <AlertIcon />
        ) : (
          <span className="mt-2 ml-1.5 mr-1 block size-2 rounded-round bg-current" aria-hidden="true" />
        )}
      </span>
      <div className="min-w-0">
        <p className="font-medium">{describeEvent(event)}</p>
        <div className="text-14 text-muted">
          <Dotted parts={[<Time key="time" of={new Date(created_at)} />, device, client_address]} />
        </div>
      </div>
    </li>
  )
}
