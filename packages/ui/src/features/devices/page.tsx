import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton, useFocusOn } from '../../ui/card.tsx'
import { FormError } from '../../ui/form/form-error.tsx'
import { Rows } from '../../ui/list.tsx'
import { Notice } from '../../ui/page.tsx'
import { DeviceRow } from './device-row.tsx'
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
  const { ref, focus } = useFocusOn<HTMLHeadingElement>()
  if (query.isError) {
    return <FormError retry={() => void query.refetch()}>{texts.unlisted}</FormError>
  }
  if (!query.data) return <Skeleton heights={['h-20', 'h-20']} />
  const others = query.data.filter(({ current }) => !current)

  function open(id: string) {
    ask(id)
    setStatus(undefined)
  }

  function close(words?: string) {
    ask(undefined)
    setStatus(words)
    focus()
  }

  return (
    <section aria-labelledby="devices" className="grid gap-4">
      <h2 id="devices" ref={ref} tabIndex={-1} className="sr-only">
        {texts.list}
      </h2>
      <Rows>
        {query.data.map((device) => (
          <li key={device.id}>
            <DeviceRow
              device={device}
              isAsked={asked === device.id}
              onAsk={() => open(device.id)}
              onCancel={() => close()}
              onEnded={() => close(texts.signedOut(device.name))}
            />
          </li>
        ))}
      </Rows>
      {others.length > 0 && asked !== EVERYWHERE_ELSE && (
        <div>
          <Button look="neutral" small onClick={() => open(EVERYWHERE_ELSE)}>
            {texts.others[0]}
          </Button>
        </div>
      )}
      {asked === EVERYWHERE_ELSE && (
        <SignOutPanel
          id={EVERYWHERE_ELSE}
          button={texts.others}
          question={texts.askOthers}
          onEnded={() => close(texts.othersSignedOut)}
          onCancel={() => close()}
        >
          {texts.othersConsequence(others.length)}
        </SignOutPanel>
      )}
      <Notice tone="done">{status}</Notice>
    </section>
  )
}
