import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getJson } from '../../request.ts'
import { devicesTexts as texts } from '../../texts/devices.ts'
import { Button } from '../../ui/button.tsx'
import { CardStatus } from '../../ui/card.tsx'
import { Confirmation } from '../../ui/confirmation.ts'
import { FormError } from '../../ui/form-error.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useFocusOn } from '../../ui/use-focus-on.ts'
import { type Device, DeviceRow } from './device-row.tsx'
import { EVERYWHERE_ELSE, queryKey, useEnding } from './use-ending.ts'

/** The user's sessions, this device first, and how to end the others. */
export function Devices() {
  const query = useQuery({
    queryKey,
    queryFn: async () => (await getJson('/api/v1/account/devices')).json as Device[],
    retry: false,
  })
  const [status, setStatus] = useState<string>()
  const [asked, ask] = useState<string>()
  const { ref, focus } = useFocusOn<HTMLHeadingElement>()
  const { end, isBusy, error } = useEnding()
  if (query.isError) {
    return <FormError retry={() => void query.refetch()}>{texts.unlisted}</FormError>
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
        {texts.list}
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
            onConfirm={() => void confirmed(device.id, texts.signedOut(device.name))}
          />
        ))}
      </ul>
      {others.length > 0 && asked !== EVERYWHERE_ELSE && (
        <div>
          <Button look="neutral" small onClick={() => ask(EVERYWHERE_ELSE)}>
            {texts.others[0]}
          </Button>
        </div>
      )}
      {asked === EVERYWHERE_ELSE && (
        <Confirmation
          button={texts.others}
          isBusy={isBusy}
          error={error}
          onConfirm={() => void confirmed(EVERYWHERE_ELSE, texts.othersSignedOut)}
          onCancel={cancel}
        >
          <p className="font-medium">{texts.askOthers}</p>
          <p>{texts.othersConsequence(others.length)}</p>
        </Confirmation>
      )}
      <CardStatus>{status}</CardStatus>
    </section>
  )
}
