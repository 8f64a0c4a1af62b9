import { readableAddresses } from '@ostiary/identity/input/readable-address'

interface AddressProps {
  children: string
  /** In rows and menus, a long address ends in an ellipsis before its `@`, and is whole while its row has the focus. */
  oneLine?: boolean
  plain?: boolean
}

/**
 * An email address. The whole moves to a line of its own before it breaks, then it breaks before `@`. A part
 * breaks only if it alone is wider than the line.
 *
 * @example <Address>ada@example.com</Address>
 */
export function Address({ children, oneLine = false, plain = false }: AddressProps) {
  const address = readableAddresses(children)
  const look = plain ? '' : 'font-medium text-ink'
  const at = address.lastIndexOf('@')
  const [local, domain] = at > 0 ? [address.slice(0, at), address.slice(at)] : [address, '']
  return oneLine ? (
    <span
      translate="no"
      title={address}
      className={`relative flex max-w-full min-w-0 wrap-anywhere in-[:is(a,button):focus]:flex-wrap ${look}`}
    >
      {/* Screen readers would pause between the parts. */}
      <span className="sr-only select-none">{address}</span>
      <span aria-hidden="true" className={`min-w-0 truncate ${unfolded}`}>
        {local}
      </span>
      <span aria-hidden="true" className={`max-w-[calc(100%-3ch)] shrink-0 truncate ${unfolded}`}>
        {domain}
      </span>
    </span>
  ) : (
    <span translate="no" className={`inline-block max-w-full wrap-anywhere ${look}`}>
      {address.length <= SHORT ? address : <Parts local={local} domain={domain} />}
    </span>
  )
}

interface AddressSentenceProps {
  before: string
  after: string
  children: string
}

/** A sentence about the address in its middle. */
export function AddressSentence({ before, after, children }: AddressSentenceProps) {
  return (
    <>
      <span>{before}</span> <Address>{children}</Address>
      <span>{after}</span>
    </>
  )
}

function Parts({ local, domain }: { local: string; domain: string }) {
  return (
    <>
      <span>{local}</span>
      <wbr />
      <span className={domain.length <= FITS ? 'min-[22rem]:whitespace-nowrap' : 'inline-block max-w-full'}>
        {domain}
      </span>
    </>
  )
}

const unfolded = 'in-[:is(a,button):focus]:whitespace-normal'

/** In characters, on a line of a phone: as a heading, and as text. */
const SHORT = 20
const FITS = 30
