import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSessionEnded } from '../../account/use-session-ended.ts'
import { getJson } from '../../request.ts'
import { Button } from '../../ui/button.tsx'
import { CardStatus } from '../../ui/card.tsx'
import { Confirmation } from '../../ui/confirmation.ts'
import { FormError } from '../../ui/form-error.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useFocusOn } from '../../ui/use-focus-on.ts'
import { type Device, DeviceRow } from './device-row.tsx'
import { EVERYWHERE_ELSE, queryKey, useEnding } from './use-ending.ts'

/** Where the user is signed in, this device first, and the way to end that elsewhere. */
export function Devices() {
  const query = useQuery({
    queryKey,
    queryFn: async () => (await getJson('/api/v1/account/devices')).json as Device[],
    retry: false,
  })
  useSessionEnded(query.error)
  const [status, setStatus] = useState<string>()
  const [asked, ask] = useState<string>()
  const { ref, focus } = useFocusOn<HTMLHeadingElement>()
  const { end, isBusy, error } = useEnding()
  if (query.isError) {
    return <FormError retry={() => void query.refetch()}>Your devices could not be listed.</FormError>
  }
  if (!query.data) return <Skeleton heights={['h-20', 'h-20']} />
  const others = query.data.filter(({ current }) => !current)

  async function confirmed(id: string, words: string) {
    if (!(await end(id))) return
    ask(undefined)
    setStatus(words)
    focus()
  }

  const cancel = () => {
    ask(undefined)
    focus()
  }
  return (
    <section aria-labelledby="devices" className="grid gap-4">
      <h2 id="devices" ref={ref} tabIndex={-1} className="sr-only">
        Signed-in devices
      </h2>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {query.data.map((device) => (
          <DeviceRow
            key={device.id}
            device={device}
            isAsked={asked === device.id}
            isBusy={isBusy}
            error={error}
            onAsk={() => {
              ask(device.id)
              setStatus(undefined)
            }}
            onCancel={cancel}
            onConfirm={() => void confirmed(device.id, `${device.name} is signed out.`)}
          />
        ))}
      </ul>
      {others.length > 0 && asked !== EVERYWHERE_ELSE && (
        <div>
          <Button look="neutral" small onClick={() => ask(EVERYWHERE_ELSE)}>
            Sign out everywhere else
          </Button>
        </div>
      )}
      {asked === EVERYWHERE_ELSE && (
        <Confirmation
          button={['Sign out everywhere else', 'Signing out…']}
          isBusy={isBusy}
          error={error}
          onConfirm={() => void confirmed(EVERYWHERE_ELSE, 'All other devices are signed out.')}
          onCancel={cancel}
        >
          <p className="font-medium">Sign out everywhere else?</p>
          <p>{others.length === 1 ? 'One device has' : `${others.length} devices have`} to sign in again.</p>
        </Confirmation>
      )}
      <CardStatus>{status}</CardStatus>
    </section>
  )
}
