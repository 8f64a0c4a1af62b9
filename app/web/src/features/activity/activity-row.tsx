import { Dotted } from '../../ui/dotted.tsx'
import { Time } from '../../ui/time.tsx'
import { EventIcon } from './event-icon.tsx'
import { type ActivityEvent, describeEvent } from './words.ts'

export function ActivityRow({ event }: { event: ActivityEvent }) {
  const { created_at, device, client_address } = event
  return (
    <li className="flex items-start gap-4 p-4 sm:px-6">
      <EventIcon event={event} />
      <div className="min-w-0">
        <p className="font-medium">{describeEvent(event)}</p>
        <div className="text-14 text-muted">
          <Dotted parts={[<Time key="time" of={created_at} />, device, client_address]} />
        </div>
      </div>
    </li>
  )
}
