import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../api/request.ts'
import { layoutTexts } from '../../texts/layout.ts'
import { Button } from '../../ui/button.tsx'
import { Badge, type Outline, OutlineSkeleton } from '../../ui/card.tsx'
import { type Disclosure, useDisclosure } from '../../ui/disclosure.ts'
import { FormError } from '../../ui/form/form-error.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Dotted, Rows } from '../../ui/list.tsx'
import { Notice } from '../../ui/page.tsx'
import { type Device, DeviceRow } from './device-row.tsx'
import { EVERYWHERE_ELSE, queryKey, SignOutPanel } from './sign-out-panel.tsx'
import { devicesTexts as texts } from './texts.ts'

export const outline = (): Outline => ({
  entries: [
    {
      icon: <Icon>{null}</Icon>,
      title: texts.list,
      state: <Badge>{texts.current}</Badge>,
      fact: (
        <Dotted
          parts={[texts.activeNow, `${texts.signedIn} ${layoutTexts.justNow} ${texts.methods.password}`]}
        />
      ),
    },
  ],
  inRows: true,
})

export function Screen() {
  const query = useQuery({
    queryKey,
    queryFn: async () => (await callApi('GET', '/account/devices')).json,
    retry: false,
  })
  const question = useDisclosure<string>()
  const { heading, status } = question
  const [unfolded, unfold] = useState<readonly string[]>([])
  if (query.isError) {
    return <FormError retry={() => void query.refetch()}>{texts.unlisted}</FormError>
  }
  if (!query.data) return <OutlineSkeleton {...outline()} />
  const others = query.data.filter(({ current }) => !current)
  const rows = foldAlike(query.data, unfolded)

  return (
    <section aria-labelledby="devices" className="grid gap-4">
      <h2 id="devices" ref={heading.ref} tabIndex={-1} className="sr-only">
        {texts.list}
      </h2>
      {others.length > 0 && <OtherDevices count={others.length} question={question} />}
      <Rows>
        {rows.map(({ device, alike }) => (
          <li key={device.id}>
            <DeviceRow
              device={device}
              alike={alike}
              question={question}
              onUnfold={() => {
                unfold([...unfolded, device.name])
                heading.focus()
              }}
            />
          </li>
        ))}
      </Rows>
      <Notice tone="done">{status}</Notice>
    </section>
  )
}

function OtherDevices({ count, question }: { count: number; question: Disclosure<string> }) {
  const { asked, ask, close, cancel, openerOf } = question
  const isAsked = asked === EVERYWHERE_ELSE
  return (
    <>
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p>{texts.count(count)}</p>
        {!isAsked && (
          <Button ref={openerOf(EVERYWHERE_ELSE)} look="neutral" small onClick={() => ask(EVERYWHERE_ELSE)}>
            {texts.others[0]}
          </Button>
        )}
      </div>
      {isAsked && (
        <SignOutPanel
          id={EVERYWHERE_ELSE}
          button={texts.others}
          question={texts.askOthers}
          onEnded={() => close(texts.othersSignedOut)}
          onCancel={cancel}
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
