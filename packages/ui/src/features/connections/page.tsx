import type { Session, SettingsFlow } from '@ory/client-fetch'
import { useAuth } from '@ostiary/react'
import { formErrorTexts, isSaved, recall, remember, wasCancelled } from '@ostiary/react/internal'
import { type ReactNode, useState } from 'react'
import { labelOf, offeredProviders, type Provider, ProviderMark } from '../../flow/providers.tsx'
import { type CredentialDetails, useCredentialDetails } from '../../forms/settings/credential-details.ts'
import { type SettingsFlowForm, useAccountSettings, useChange } from '../../forms/settings/use-settings.ts'
import { product } from '../../product.ts'
import { failureTexts } from '../../texts/failures.ts'
import { Address } from '../../ui/address.tsx'
import { Badge, CardButton, CardEntry, type Outline, OutlineSkeleton } from '../../ui/card.tsx'
import { useDisclosure } from '../../ui/disclosure.ts'
import { FormError } from '../../ui/form/form-error.tsx'
import { Time } from '../../ui/format.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Dotted, Rows } from '../../ui/list.tsx'
import { Notice } from '../../ui/page.tsx'
import { connectionsTexts as texts } from './texts.ts'

const Removal = lazyPart(
  async () => (await import('../../forms/settings/removal.tsx')).Removal,
  'h-40 sm:h-34',
)

export const outline = (): Outline => ({
  entries: product().demoProviders.map(({ id, label }) => ({
    icon: <ProviderMark id={id} />,
    title: label,
    fact: texts.notConnected,
    action: <CardButton>{texts.connect}</CardButton>,
  })),
  inRows: true,
})

export function Screen() {
  const settings = useAccountSettings()
  // For the list, requested together with the flow.
  useCredentialDetails()
  const { flow } = settings
  if (!flow) {
    return settings.isUnreachable ? (
      <FormError retry={() => void settings.open()}>{failureTexts.unreachable}</FormError>
    ) : (
      <OutlineSkeleton {...outline()} />
    )
  }
  if (!flow.ui.nodes.some(({ group }) => group === 'oidc')) return <p className="text-muted">{texts.none}</p>
  return <List settings={settings} flow={flow} />
}

interface ListProps {
  settings: SettingsFlowForm
  flow: SettingsFlow
}

function List({ settings, flow }: ListProps) {
  const { session } = useAuth()
  const { known, refresh } = useCredentialDetails()
  const [status, setStatus] = useState<string>()
  const justConnected = flow.active === 'oidc' && isSaved(flow) && !status
  const connections = connectionsOf(flow, session)
  const pressed = recall(PRESSED, 'sessionStorage')
  const answer = <ProviderAnswer flow={flow} />
  return (
    <div className="grid gap-4">
      <Notice tone="done">{justConnected ? texts.justConnected : status}</Notice>
      {!connections.some(({ id }) => id === pressed) && answer}
      <Rows>
        {connections.map(({ way, ...provider }) => (
          <li key={provider.id}>
            <ConnectionRow
              provider={provider}
              way={way}
              settings={settings}
              details={known?.connections.find((one) => one.provider === provider.id)}
              onDone={(words) => {
                setStatus(words)
                refresh()
              }}
            >
              {provider.id === pressed && answer}
            </ConnectionRow>
          </li>
        ))}
      </Rows>
    </div>
  )
}

/** The provider to connect, for the answer after its page. */
const PRESSED = 'connecting'

function ProviderAnswer({ flow }: { flow: SettingsFlow }) {
  // A failed link leaves `active` unset.
  if ((flow.active ?? 'oidc') !== 'oidc') return null
  return (
    <>
      <FormError>{formErrorTexts(flow)}</FormError>
      <Notice>{wasCancelled(flow) && texts.cancelled}</Notice>
    </>
  )
}

type Change = 'link' | 'unlink'

interface Connection extends Provider {
  /** Undefined for the only way to sign in. */
  readonly way: Change | undefined
}

function connectionsOf(flow: SettingsFlow, session: Session | null | undefined): Connection[] {
  const changes = (['link', 'unlink'] as const).flatMap((way) =>
    offeredProviders(flow, way).map((provider) => ({ ...provider, way })),
  )
  const others = (session?.authentication_methods ?? []).flatMap(({ provider: id }) =>
    id === undefined || changes.some((one) => one.id === id)
      ? []
      : [{ id, label: labelOf(id) ?? id, way: undefined }],
  )
  return [...changes, ...others].sort((a, b) => (a.id < b.id ? -1 : 1))
}

interface ConnectionRowProps {
  provider: Provider
  way: Change | undefined
  settings: SettingsFlowForm
  details: CredentialDetails['connections'][number] | undefined
  onDone(words: string): void
  children: ReactNode
}

function ConnectionRow({ provider, way, settings, details, onDone, children }: ConnectionRowProps) {
  const { change, pending, error } = useChange(settings)
  const { asked, ask, close, cancel, heading, openerOf } = useDisclosure<'unlink', HTMLSpanElement>()
  const { id, label: name } = provider

  const changeBy = (name: Change) => ({ method: 'oidc', name, value: id })
  const connect = () => {
    remember(PRESSED, id, 'sessionStorage')
    void change(changeBy('link'))
  }

  return (
    <CardEntry
      icon={<ProviderMark id={id} />}
      title={
        <span ref={heading.ref} tabIndex={-1} translate="no" className="focus:outline-none">
          {name}
        </span>
      }
      state={way !== 'link' && <Badge tone="done">{texts.isConnected}</Badge>}
      fact={<Details way={way} details={details} />}
      action={
        way &&
        !asked && (
          <CardButton
            ref={openerOf('unlink')}
            of={name}
            busy={pending ? texts.busy : undefined}
            onClick={way === 'link' ? connect : () => ask('unlink')}
          >
            {way === 'link' ? texts.connect : texts.disconnect}
          </CardButton>
        )
      }
    >
      {children}
      <FormError>{error}</FormError>
      {asked && (
        <Removal
          settings={settings}
          changes={[changeBy('unlink')]}
          question={texts.ask(name)}
          button={texts.confirm}
          onCancel={cancel}
          onRemoved={() => {
            close(texts.disconnected(name))
            onDone(texts.disconnected(name))
          }}
        >
          {texts.consequence(name)}
        </Removal>
      )}
    </CardEntry>
  )
}

function Details({ way, details }: Pick<ConnectionRowProps, 'way' | 'details'>): ReactNode {
  if (way === 'link') return <span>{texts.notConnected}</span>
  return (
    <>
      <Dotted
        parts={[
          details?.account && (
            <Address key="account" plain>
              {details.account}
            </Address>
          ),
          details?.connected_at && <Time words={texts.since} of={details.connected_at} />,
        ]}
      />
      {!way && <span className="block">{texts.isLast}</span>}
    </>
  )
}
