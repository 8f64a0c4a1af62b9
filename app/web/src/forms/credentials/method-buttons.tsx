import type { ReactNode } from 'react'
import { lastMethod } from '../../auth/session.ts'
import { type Provider, ProviderMark } from '../../flow/providers.tsx'
import { useHydrated } from '../../ui/browser.ts'
import { Button } from '../../ui/button.tsx'
import { Divider } from '../../ui/form/form-parts.tsx'
import { PasskeyIcon } from '../../ui/icons.tsx'
import { entryTexts, entryTexts as texts } from './texts.ts'
import type { Entry } from './use-entry.ts'

interface ProviderButtonsProps {
  entry: Pick<Entry, 'busy' | 'start'>
  verb: string
  offered: readonly Provider[]
  alone?: boolean
  children?: ReactNode
}

export function ProviderButtons(props: ProviderButtonsProps) {
  const { entry, verb, offered, alone = false, children } = props
  const last = useHydrated() ? lastMethod() : null
  const isShort = offered.length > MOST_LINES
  if (offered.length === 0 && !children) return null
  return (
    <div className="grid grid-cols-1 gap-3">
      {!alone && <Divider>{texts.or}</Divider>}
      <div className={isShort ? 'grid grid-cols-2 gap-3 *:last:odd:col-span-2' : 'grid grid-cols-1 gap-3'}>
        {offered.map((provider) => (
          <ProviderButton
            key={provider.id}
            provider={provider}
            verb={verb}
            isShort={isShort}
            entry={entry}
            isLast={provider.id === last}
          />
        ))}
      </div>
      {children}
    </div>
  )
}

/** More providers than these share lines, with their names only. */
const MOST_LINES = 3

interface ProviderButtonProps extends Pick<ProviderButtonsProps, 'entry' | 'verb'> {
  provider: Provider
  isShort: boolean
  isLast: boolean
}

function ProviderButton({ provider, verb, isShort, entry, isLast }: ProviderButtonProps) {
  const { id, label } = provider
  return (
    <div className="relative">
      <Button
        look="neutral"
        full
        busy={entry.busy === id ? texts.wait : undefined}
        onClick={() => void entry.start(provider)}
        aria-describedby={isLast ? 'last-used' : undefined}
        aria-label={isShort && entry.busy !== id ? texts.by(verb, label) : undefined}
      >
        <ProviderMark id={id} />
        <span className="truncate">{isShort ? label : texts.by(verb, label)}</span>
      </Button>
      {isLast && <LastUsed />}
    </div>
  )
}

interface PasskeyWayProps {
  label: string
  busy: string | undefined
  /** Why the last attempt made no passkey, if that is not an error. */
  notice: string | undefined
  isLast?: boolean
  onPress(): void
}

export function PasskeyWay({ label, busy, notice, isLast = false, onPress }: PasskeyWayProps) {
  return (
    <div className="grid gap-2">
      <div className="relative">
        <Button
          look="neutral"
          full
          busy={busy}
          onClick={onPress}
          aria-describedby={isLast ? 'last-used' : undefined}
        >
          <PasskeyIcon />
          {label}
        </Button>
        {isLast && <LastUsed />}
      </div>
      <p role="status" className={notice ? 'text-14 text-muted' : 'sr-only'}>
        {notice}
      </p>
    </div>
  )
}

/** Marks the last login method. Its button refers to it by `aria-describedby`. */
function LastUsed() {
  return (
    <span
      id="last-used"
      className="pointer-events-none absolute -top-2 end-3 rounded-small bg-tint px-1.5 text-14 leading-4.5 text-accent forced-colors:border"
    >
      {entryTexts.lastUsed}
    </span>
  )
}
