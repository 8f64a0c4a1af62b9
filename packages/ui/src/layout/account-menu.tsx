import { readableAddresses } from '@ostiary/identity/input/readable-address'
import { useAuth } from '@ostiary/react'
import { traitsOf } from '@ostiary/react/internal'
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import * as paths from '../paths.ts'
import { layoutTexts as texts } from '../texts/layout.ts'
import { Address } from '../ui/address.tsx'
import { initialOf } from '../ui/locale.ts'

const pages = [
  { to: paths.settings, name: texts.profile },
  { to: paths.security, name: texts.security },
] as const

export interface MenuLink {
  readonly to: string
  readonly label: string
}

export function AccountMenu({ onPhones }: { onPhones: MenuLink | undefined }) {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const anchor = useRef<HTMLSpanElement>(null)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => (isOpen ? keepBeside(anchor.current, menu.current) : undefined), [isOpen])
  const { email = '', name: givenName } = traitsOf(useAuth().session?.identity)
  const name = typeof givenName === 'string' ? givenName : ''

  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label={texts.menuOf(readableAddresses(email))}
        className={opener}
      >
        <span ref={anchor} aria-hidden="true" translate="no" className={disc}>
          {initialOf(name || email)}
        </span>
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        className={panel}
        onBeforeToggle={({ newState }) => newState === 'open' && setOpen(true)}
        onToggle={({ newState }) => {
          if (newState === 'open') itemsIn(menu.current)[0]?.focus()
          // The browser returns the focus only from an item that still exists.
          else setOpen(false)
        }}
      >
        {isOpen && (
          <>
            <div className="border-b border-line px-4 py-3 text-14 wrap-anywhere text-muted">
              <span>{texts.signedInAs}</span>
              {name && (
                <strong translate="no" className="block font-medium text-ink">
                  {name}
                </strong>
              )}
              <div>
                <Address plain={name !== ''}>{email}</Address>
              </div>
            </div>
            <Items menu={menu} onPhones={onPhones} />
          </>
        )}
      </div>
    </>
  )
}

interface ItemsProps {
  menu: RefObject<HTMLDivElement | null>
  onPhones: MenuLink | undefined
}

function Items({ menu, onPhones }: ItemsProps) {
  const close = () => menu.current?.hidePopover()
  return (
    <nav
      aria-label={texts.menu}
      className="grid p-1.5"
      onKeyDown={(event) => moveFocus(event, itemsIn(menu.current))}
    >
      {onPhones && (
        <Link to={onPhones.to} onClick={close} className={`${item} min-[28rem]:hidden`}>
          {onPhones.label}
        </Link>
      )}
      {pages.map(({ to, name }) => (
        <Link key={to} to={to} onClick={close} className={item}>
          {name}
        </Link>
      ))}
    </nav>
  )
}

/** From the button, and from the edge of the window. */
const GAP = 16

/** By hand, because not every supported browser positions by anchors. Popovers lie outside of all elements. */
function keepBeside(anchor: HTMLElement | null, menu: HTMLElement | null): () => void {
  const place = () => {
    if (!anchor || !menu) return
    const { left, right, top, bottom } = anchor.getBoundingClientRect()
    const { clientWidth, clientHeight } = document.documentElement
    const x = right - menu.offsetWidth < GAP ? left : right - menu.offsetWidth
    const fitsBelow = bottom + menu.offsetHeight + 2 * GAP <= clientHeight
    const y = fitsBelow ? bottom + GAP : top - GAP - menu.offsetHeight
    menu.style.left = `${Math.max(GAP, Math.min(x, clientWidth - GAP - menu.offsetWidth))}px`
    menu.style.top = `${Math.max(GAP, y)}px`
  }
  // It has no size before it is shown, and must not be painted elsewhere.
  requestAnimationFrame(place)
  const whileOpen = new AbortController()
  const { signal } = whileOpen
  addEventListener('resize', place, { signal })
  addEventListener('scroll', place, { signal, capture: true })
  return () => whileOpen.abort()
}

function itemsIn(menu: HTMLElement | null): HTMLElement[] {
  const items = menu?.querySelectorAll<HTMLElement>('a') ?? []
  return [...items].filter((item) => item.offsetParent !== null)
}

function moveFocus(event: KeyboardEvent, items: readonly HTMLElement[]): void {
  const at = items.indexOf(document.activeElement as HTMLElement)
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key]
  if (next === undefined) return
  event.preventDefault()
  items.at(next % items.length)?.focus()
}

const opener = 'group grid size-11 shrink-0 place-items-center rounded-round'
const disc =
  'grid size-8 place-items-center rounded-round border border-line bg-tint text-14 font-semibold text-accent transition-colors group-hover:border-accent forced-colors:border-current'
const panel =
  'fixed inset-auto m-0 max-h-[calc(100dvh-2rem)] w-max min-w-60 max-w-[min(22rem,100vw-2rem)] overflow-y-auto rounded-field border border-line bg-surface text-ink shadow-menu popover-open:animate-open'
const item =
  'flex min-h-11 items-center rounded-small px-2.5 text-start text-14 transition-colors hover:bg-tint focus-visible:outline-offset-[-2px]'
