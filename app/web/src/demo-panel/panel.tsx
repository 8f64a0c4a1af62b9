import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type Call, type Recording, shortPath, useCalls } from './calls.ts'
import { type Address, readHash, type Tab, tabs, useHash } from './hash.ts'
import { Inbox } from './inbox.tsx'
import { resetDemo } from './page-forms.ts'
import { People } from './people.tsx'
import { Wire } from './wire.tsx'

const heights = ['peek', 'half', 'full'] as const

/** Shows what the demo does behind the page. `frame` is the `<aside>` around it. */
export function Panel({ frame }: { frame: HTMLElement }) {
  const [address, setAddress] = useState<Address | undefined>(() => readHash(location.hash))
  const [height, setHeight] = useState<(typeof heights)[number]>('half')
  const wasOpened = useRef(false)
  const isOpen = address !== undefined
  const recording = useCalls(isOpen)
  useHash(address, setAddress)
  useLayoutEffect(() => {
    frame.dataset.height = isOpen ? height : 'closed'
    if (!wasOpened.current) return
    // Only after a click or key of the user.
    frame.querySelector<HTMLElement>(isOpen ? '[role=tab][aria-selected=true]' : 'button')?.focus()
  }, [frame, isOpen, height])
  useEffect(() => {
    if (!isOpen) return
    const close = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Escape' && frame.contains(document.activeElement)) show(undefined)
    }
    frame.addEventListener('keydown', close)
    return () => frame.removeEventListener('keydown', close)
  })

  function show(next: Address | undefined) {
    wasOpened.current = (next === undefined) === isOpen
    setAddress(next)
  }

  if (!address)
    return (
      <button type="button" className="demo-tab" onClick={() => show({ tab: 'wire' })}>
        <span>Demo</span>
      </button>
    )
  return (
    <>
      <header>
        <SignedIn session={recording.session} />
        <button type="button" onClick={() => setHeight(after(height))} className="demo-resize">
          {height === 'full' ? 'Smaller' : 'Taller'}
        </button>
        <button type="button" onClick={() => void resetDemo()}>
          Reset
        </button>
        <button type="button" onClick={() => show(undefined)}>
          Close
        </button>
        <Latest call={recording.calls.at(-1)} />
        <Tabs chosen={address.tab} onChoose={(tab) => show({ tab })} />
      </header>
      <Content address={address} recording={recording} onShow={show} />
    </>
  )
}

function after(height: (typeof heights)[number]) {
  return heights[(heights.indexOf(height) + 1) % heights.length] ?? 'half'
}

interface ContentProps {
  address: Address
  recording: Recording
  onShow(address: Address): void
}

function Content({ address: { tab, id }, recording, onShow }: ContentProps) {
  return (
    <div role="tabpanel" id="demo-content" aria-labelledby={`demo-${tab}`} className="demo-content">
      {recording.isLost && <p className="demo-note">Can’t reach the app. Retrying…</p>}
      {tab === 'wire' && (
        <Wire calls={recording.calls} openId={id} onOpen={(id) => onShow(id ? { tab, id } : { tab })} />
      )}
      {tab === 'people' && <People />}
      {tab === 'inbox' && <Inbox recording={recording} />}
    </div>
  )
}

function SignedIn({ session }: Pick<Recording, 'session'>) {
  if (session === undefined) return <p>…</p>
  if (session === null) return <p>No user is signed in</p>
  const { email } = session.identity.traits
  const factors = session.authenticator_assurance_level === 'aal2' ? 'two factors' : 'one factor'
  return (
    <p>
      <bdi title={email}>{email ?? 'A user without an address'}</bdi>
      <span>
        {factors}, {timeLeft(session.expires_at)}
      </span>
    </p>
  )
}

function timeLeft(expires_at: string): string {
  const minutes = Math.max(0, Math.floor((Date.parse(expires_at) - Date.now()) / 60_000))
  if (minutes < 60) return `${minutes} min left`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h left` : `${Math.floor(hours / 24)} days left`
}

/** The peek of the sheet on a phone. */
function Latest({ call }: { call: Call | undefined }) {
  return (
    <p className="demo-latest">
      {call ? `${call.method} ${shortPath(call)} ${call.status} ${call.status_text}` : 'No calls yet'}
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
    <div role="tablist" aria-label="Demo" className="demo-tabs" onKeyDown={move}>
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
