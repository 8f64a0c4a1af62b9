import { useEffect } from 'react'
import { panelTexts } from '../texts.ts'

export const { tabs } = panelTexts

export type Tab = keyof typeof tabs

export interface Address {
  readonly tab: Tab
  readonly id?: string
}

/** `#demo=wire/<id>`, so that a bug report is a URL. */
function readHash(hash: string): Address | undefined {
  const [, tab = '', id] = /^#demo=(\w+)(?:\/([\w-]+))?$/.exec(hash) ?? []
  if (!(tab in tabs)) return undefined
  return { tab: tab as Tab, ...(id !== undefined && { id }) }
}

const OPEN = 'demo-panel'

/** The page with a form and its calls. */
export const STAGE = '/demo'

export function isStage(): boolean {
  return location.pathname === STAGE
}

/** The address of the page, else the last one of this tab: a redirect to a provider and back loses the hash. */
export function openedAddress(): Address | undefined {
  return readHash(location.hash) ?? readHash(sessionStorage.getItem(OPEN) ?? (isStage() ? '#demo=wire' : ''))
}

/** Milliseconds. The app's router drops the hash on every navigation and reports none of them. */
const INTERVAL = 300

/** Keeps the address in the page's hash, unless the page uses the hash itself. */
export function useHash(address: Address | undefined, follow: (address: Address) => void): void {
  useEffect(() => {
    const hash = address ? `#demo=${[address.tab, address.id].filter(Boolean).join('/')}` : ''
    // Before the panel was opened, nothing is kept: the stage opens it.
    if (hash !== '' || sessionStorage.getItem(OPEN) !== null) sessionStorage.setItem(OPEN, hash)
    const write = () => {
      const isOurs = location.hash === '' || location.hash.startsWith('#demo=')
      if (!isOurs || location.hash === hash) return
      history.replaceState(history.state, '', location.pathname + location.search + hash)
    }
    write()
    const timer = address && setInterval(write, INTERVAL)
    const read = () => {
      const typed = readHash(location.hash)
      if (typed) follow(typed)
    }
    addEventListener('hashchange', read)
    return () => {
      clearInterval(timer)
      removeEventListener('hashchange', read)
    }
  }, [address, follow])
}
