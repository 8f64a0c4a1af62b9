import type { ApiAnswer } from '../../api/request.ts'
import { labelOf } from '../../flow/providers.tsx'
import { Badge, CardButton, CardEntry } from '../../ui/card.tsx'
import type { Disclosure } from '../../ui/disclosure.ts'
import { Time } from '../../ui/format.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Dotted } from '../../ui/list.tsx'
import { SignOutPanel } from './sign-out-panel.tsx'
import { devicesTexts as texts } from './texts.ts'

export type Device = ApiAnswer<'/account/devices'>[number]

interface DeviceRowProps {
  device: Device
  /** Number of devices of the same name that this row stands for. */
  alike: number
  question: Disclosure<string>
  onUnfold(): void
}

export function DeviceRow({ device, alike, question, onUnfold }: DeviceRowProps) {
  const { id, name, kind, current } = device
  const { asked, ask, close, cancel, openerOf } = question
  const isAsked = asked === id
  return (
    <CardEntry
      icon={
        <Icon>
          <path d={drawings[kind]} />
        </Icon>
      }
      title={name}
      state={current && <Badge tone="done">{texts.current}</Badge>}
      fact={<Details device={device} />}
      action={
        !current &&
        !isAsked && (
          <CardButton ref={openerOf(id)} of={name} onClick={() => ask(id)}>
            {texts.signOut[0]}
          </CardButton>
        )
      }
    >
      {alike > 0 && (
        <div className="-mt-3 ps-5">
          <CardButton look="quiet" of={name} onClick={onUnfold}>
            {texts.alike(alike)}
          </CardButton>
        </div>
      )}
      {isAsked && (
        <SignOutPanel
          id={id}
          button={texts.signOut}
          question={texts.ask(name)}
          onEnded={() => close(texts.signedOut)}
          onCancel={cancel}
        >
          {texts.consequence}
        </SignOutPanel>
      )}
    </CardEntry>
  )
}

function Details({ device: { current, address, last_active_at, signed_in_at, method } }: { device: Device }) {
  const parts = [
    current && texts.activeNow,
    !current && last_active_at && <Time words={texts.active} of={last_active_at} />,
    signed_in_at && (
      <>
        <Time words={texts.signedIn} of={signed_in_at} />
        {method && nameOf(method) && <span>{` ${nameOf(method)}`}</span>}
      </>
    ),
    address,
  ]
  return <Dotted parts={parts} />
}

function nameOf(method: string): string | undefined {
  const provider = labelOf(method)
  return provider ? texts.provider(provider) : (texts.methods as Readonly<Record<string, string>>)[method]
}

const drawings = {
  phone: 'M7 2.8h6a1 1 0 0 1 1 1v12.4a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1V3.800a1 1 0 0 1 1-1M9.2 14.600h1.6',
  tablet: 'M5 2.800h10a1 1 0 0 1 1 1v12.400a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V3.800a1 1 0 0 1 1-1M9.2 14.600h1.6',
  computer: 'M3.8 4.200h12.400v8.600H3.800zM1.8 15.800h16.4',
  app: 'M3 4.500h14v11H3zM6 8.200l2 1.9-2 1.900M10.5 12.200H14',
} as const
