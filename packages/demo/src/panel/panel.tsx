import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { RecordedCall } from '../../server/wire.ts'
import { useChanges } from '../pages/follow-changes.ts'
import { demoTexts, panelTexts as texts } from '../texts.ts'
import { type Recording, shortPath, useCalls } from './calls.ts'
import { type Address, isStage, openedAddress, type Tab, tabs, useHash } from './hash.ts'
import { Inbox } from './inbox.tsx'
import { resetDemo } from './page-forms.ts'
import { People } from './people.tsx'
import { Changed, Switches, useChanged } from './switches.tsx'
import { Wire } from './wire.tsx'

const heights = ['peek', 'half', 'full'] as const

type Height = (typeof heights)[number]

interface PanelProps {
  /** Whether the page has the form that a login by one press needs. */
  filled: Promise<boolean>
}

/** Shows what the demo does behind the page. */
export function Panel({ filled }: PanelProps) {
  const frame = useRef<HTMLElement>(null)
  const [address, setAddress] = useState<Address | undefined>(openedAddress)
  const [height, setHeight] = useState<Height>(isStage() || location.hash === '' ? 'peek' : 'half')
  const wasUsed = useRef(false)
  const isOpen = address !== undefined
  useHash(address, setAddress)
  useLayoutEffect(() => {
    // `theme.js` has kept this space.
    document.documentElement.style.paddingRight = ''
    // A link opens the panel without taking the focus from the page.
    if (!wasUsed.current) return
    const selector = isOpen ? '[role=tab][aria-selected=true]' : 'button'
    // Its button is at the end of the page.
    frame.current?.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true })
  }, [isOpen])

  function show(next: Address | undefined) {
    wasUsed.current = true
    setAddress(next)
  }

  function open() {
    setHeight('half')
    show({ tab: 'wire' })
  }

  return (
    <aside
      ref={frame}
      aria-label={demoTexts.demo}
      className="demo-panel"
      data-height={address ? height : 'closed'}
      onKeyDown={({ key }) => key === 'Escape' && show(undefined)}
    >
      {address ? (
        <Opened address={address} filled={filled} onShow={show}>
          <button type="button" onClick={() => setHeight(after(height))} className="demo-resize">
            {height === 'full' ? texts.shrink : texts.enlarge}
          </button>
        </Opened>
      ) : (
        <ClosedTab onOpen={open} />
      )}
    </aside>
  )
}

function after(height: Height): Height {
  return heights[(heights.indexOf(height) + 1) % heights.length] ?? 'half'
}

function ClosedTab({ onOpen }: { onOpen(): void }) {
  const changed = useChanged()
  const words = changed.length > 0 ? texts.changed(changed.join(', ')) : undefined
  return (
    <button
      type="button"
      className="demo-tab"
      title={words}
      aria-label={words && `${demoTexts.demo}. ${words}`}
      onClick={onOpen}
    >
      <span>{demoTexts.demo}</span>
      {words && <b>{changed.length}</b>}
    </button>
  )
}

interface OpenedProps extends PanelProps {
  address: Address
  onShow(address: Address | undefined): void
  /** The button that changes the height. */
  children: ReactNode
}

function Opened({ address: { tab, id }, filled, onShow, children }: OpenedProps) {
  useChanges()
  const [isStuck, setStuck] = useState(false)
  useEffect(() => void filled.then((isFilled) => setStuck(!isFilled)), [filled])
  const recording = useCalls()
  const { calls, session, now, isLost } = recording
  return (
    <>
      <header>
        <SignedIn session={session} now={now} />
        {children}
        <button type="button" onClick={() => onShow(undefined)}>
          {texts.close}
        </button>
        <Latest call={calls.at(-1)} />
        <Tabs chosen={tab} onChoose={(tab) => onShow({ tab })} />
      </header>
      <div role="tabpanel" id="demo-content" aria-labelledby={`demo-${tab}`} className="demo-content">
        {isLost && <p className="demo-note">{demoTexts.lost}</p>}
        <p role="status" className={isStuck ? 'demo-note' : undefined}>
          {isStuck && texts.noForm}
        </p>
        {tab === 'wire' && (
          <Wire calls={calls} openId={id} onOpen={(id) => onShow(id ? { tab, id } : { tab })} />
        )}
        {tab === 'people' && <People />}
        {tab === 'inbox' && <Inbox recording={recording} />}
        {tab === 'switches' && <Switches />}
      </div>
      <div className="demo-foot">
        <Changed />
        <button type="button" onClick={() => void resetDemo()}>
          {texts.reset}
        </button>
      </div>
    </>
  )
}

function SignedIn({ session, now }: Pick<Recording, 'session' | 'now'>) {
  if (session === undefined) return <p>…</p>
  if (session === null) return <p>{texts.noUser}</p>
  const { email } = session.identity.traits
  const factors = texts.factors[session.authenticator_assurance_level === 'aal2' ? 'aal2' : 'aal1']
  return (
    <p>
      <bdi title={email} translate="no">
        {email ?? texts.noAddress}
      </bdi>
      <span>{`${factors}, ${timeLeft(session.expires_at, now)}`}</span>
    </p>
  )
}

function timeLeft(expires_at: string, now: string): string {
  const minutes = Math.max(0, Math.floor((Date.parse(expires_at) - Date.parse(now)) / 60_000))
  if (minutes < 60) return texts.minutesLeft(minutes)
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? texts.hoursLeft(hours) : texts.daysLeft(Math.floor(hours / 24))
}

/** The peek of the sheet on a phone. */
function Latest({ call }: { call: RecordedCall | undefined }) {
  const changed = useChanged()
  return (
    <p className="demo-latest">
      <span>{changed.length > 0 ? texts.changed(changed.join(', ')) : texts.latest}</span>
      <code>{call ? `${call.method} ${shortPath(call)} ${call.status}` : texts.noCalls}</code>
    </p>
  )
}

function Tabs({ chosen, onChoose }: { chosen: Tab; onChoose(tab: Tab): void }) {
  function move(event: KeyboardEvent<HTMLElement>) {
    const names = Object.keys(tabs) as Tab[]
    const at = names.indexOf(chosen)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key]
    const next = to === undefined ? undefined : names.at(to % names.length)
    if (!next) return
    event.preventDefault()
    onChoose(next)
    document.getElementById(`demo-${next}`)?.focus()
  }
  return (
    <div role="tablist" aria-label={demoTexts.demo} className="demo-tabs" onKeyDown={move}>
      {Object.entries(tabs).map(([tab, name]) => (
        <button
          key={tab}
          id={`demo-${tab}`}
          type="button"
          role="tab"
          aria-selected={tab === chosen}
          aria-controls="demo-content"
          tabIndex={tab === chosen ? 0 : -1}
          onClick={() => onChoose(tab as Tab)}
        >
          {name}
        </button>
      ))}
    </div>
  )
}
