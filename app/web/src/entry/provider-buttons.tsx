import type { ReactNode } from 'react'
import { lastMethod } from '../auth/last-method.ts'
import { type Provider, providerMarks, providerNames, providers } from '../flow/providers.ts'
import { entryTexts as texts } from '../texts/entry.ts'
import { Button } from '../ui/button.tsx'
import { Divider } from '../ui/divider.tsx'
import { useHydrated } from '../ui/use-hydrated.ts'
import { LastUsed } from './last-used.tsx'
import type { Entry } from './use-entry.ts'

interface ProviderButtonsProps {
  entry: Pick<Entry, 'busy' | 'start'>
  verb: string
  offered?: readonly Provider[]
  /** No other method is above them. */
  alone?: boolean
  /** Another method, after the last of them. */
  children?: ReactNode
}

export function ProviderButtons(props: ProviderButtonsProps) {
  const { entry, verb, offered = providers, alone = false, children } = props
  const last = useHydrated() ? lastMethod() : null
  return (
    <div className="grid gap-3">
      {!alone && <Divider>{texts.or}</Divider>}
      {offered.map((provider) => (
        <ProviderButton
          key={provider}
          provider={provider}
          verb={verb}
          entry={entry}
          isLast={provider === last}
        />
      ))}
      {children}
    </div>
  )
}

interface ProviderButtonProps extends Pick<ProviderButtonsProps, 'entry' | 'verb'> {
  provider: Provider
  isLast: boolean
}

function ProviderButton({ provider, verb, entry, isLast }: ProviderButtonProps) {
  const Mark = providerMarks[provider]
  return (
    <div className="relative">
      <Button
        look="neutral"
        full
        busy={entry.busy === provider ? texts.wait : undefined}
        onClick={() => void entry.start(provider)}
        aria-describedby={isLast ? 'last-used' : undefined}
      >
        <Mark />
        {texts.by(verb, providerNames[provider])}
      </Button>
      {isLast && <LastUsed />}
    </div>
  )
}
