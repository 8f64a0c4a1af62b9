import { useQuery } from '@tanstack/react-query'
import { type Ref, useState } from 'react'
import { callApi } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton, useFocusOn } from '../../ui/card.tsx'
import { FormError } from '../../ui/form/form-error.tsx'
import { Rows } from '../../ui/list.tsx'
import { Notice } from '../../ui/page.tsx'
import { type Device, DeviceRow } from './device-row.tsx'
import { EVERYWHERE_ELSE, queryKey, SignOutPanel } from './sign-out-panel.tsx'
import { devicesTexts as texts } from './texts.ts'

export function Screen() {
  const query = useQuery({
    queryKey,
    queryFn: async () => (await callApi('GET', '/account/devices')).json,
    retry: false,
  })
  const [status, setStatus] = useState<string>()
  const [asked, ask] = useState<string>()
  const [lastAsked, setLastAsked] = useState<string>()
  const [unfolded, unfold] = useState<readonly string[]>([])
  const { ref, focus } = useFocusOn<HTMLHeadingElement>()
  const opener = useFocusOn<HTMLButtonElement>()
  if (query.isError) {
    return <FormError retry={() => void query.refetch()}>{texts.unlisted}</FormError>
  }
  if (!query.data) return <Skeleton heights={['h-20', 'h-20']} />
  const others = query.data.filter(({ current }) => !current)
  const rows = foldAlike(query.data, unfolded)

  function open(id: string) {
    ask(id)
    setLastAsked(id)
    setStatus(undefined)
  }

  function close(words?: string) {
    ask(undefined)
    setStatus(words)
    if (words === undefined) opener.focus()
    else focus()
  }

  return (
    <section aria-labelledby="devices" className="grid gap-4">
      <h2 id="devices" ref={ref} tabIndex={-1} className="sr-only">
        {texts.list}
      </h2>
      {others.length > 0 && (
        <OtherDevices
          count={others.length}
          isAsked={asked === EVERYWHERE_ELSE}
          opener={lastAsked === EVERYWHERE_ELSE ? opener.ref : undefined}
          onAsk={() => open(EVERYWHERE_ELSE)}
          onEnded={() => close(texts.othersSignedOut)}
          onCancel={() => close()}
        />
      )}
      <Rows>
        {rows.map(({ device, alike }) => (
          <li key={device.id}>
            <DeviceRow
              device={device}
              alike={alike}
              isAsked={asked === device.id}
              opener={lastAsked === device.id ? opener.ref : undefined}
              onAsk={() => open(device.id)}
              onCancel={() => close()}
              onEnded={() => close(texts.signedOut(device.name))}
              onUnfold={() => {
                unfold([...unfolded, device.name])
                focus()
              }}
            />
          </li>
        ))}
      </Rows>
      <Notice tone="done">{status}</Notice>
    </section>
  )
}

interface OtherDevicesProps {
  count: number
  isAsked: boolean
  opener: Ref<HTMLButtonElement> | undefined
  onAsk(): void
  onEnded(): void
  onCancel(): void
}

function OtherDevices({ count, isAsked, opener, ...on }: OtherDevicesProps) {
  return (
    <>
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p>{texts.count(count)}</p>
        {!isAsked && (
          <Button ref={opener} look="neutral" small onClick={on.onAsk}>
            {texts.others[0]}
          </Button>
        )}
      </div>
      {isAsked && (
        <SignOutPanel
          id={EVERYWHERE_ELSE}
          button={texts.others}
          question={texts.askOthers}
          onEnded={on.onEnded}
          onCancel={on.onCancel}
        >
          {texts.othersConsequence(count)}
        </SignOutPanel>
      )}
    </>
  )
}

/** Devices of one name share a row from this many on. */
const MANY_ALIKE = 4

/** Keeps the order, in which the newest comes first. */
function foldAlike(devices: readonly Device[], unfolded: readonly string[]) {
  const groups = Map.groupBy(devices, ({ name, current }) => (current ? undefined : name))
  return devices.flatMap((device) => {
    const group = (!device.current && groups.get(device.name)) || [device]
    if (group.length < MANY_ALIKE || unfolded.includes(device.name)) return { device, alike: 0 }
    return device === group[0] ? { device, alike: group.length - 1 } : []
  })
}
