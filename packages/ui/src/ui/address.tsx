import { readableAddresses } from '@ostiary/identity/input/readable-address'

interface AddressProps {
  children: string
  /**
   * In rows, a long address has an ellipsis before its `@`, and is whole while its row has the focus. A domain that
   * does not fit next to the start of the address moves to the next line.
   */
  oneLine?: boolean
  plain?: boolean
}

/**
 * An email address. It moves to the next line before it breaks, then it breaks before `@`. A part
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
      className={`relative flex max-w-full min-w-0 flex-wrap wrap-anywhere ${look}`}
    >
      <span className="sr-only">{address}</span>
      {/* Not as text, which would be there twice. */}
      <span
        aria-hidden="true"
        data-part={local}
        className={`max-w-max grow basis-[10ch] truncate unfolded:whitespace-normal ${drawn}`}
      />
      <span
        aria-hidden="true"
        data-part={domain}
        className={`line-clamp-2 max-w-full unfolded:line-clamp-none ${drawn}`}
      />
    </span>
  ) : (
    <span translate="no" className={`inline-block max-w-full wrap-anywhere ${look}`}>
      {address.length <= SHORT ? (
        address
      ) : (
        <>
          <span>{local}</span>
          <wbr />
          {/* Would break after its hyphens. As a block, it is read apart from the rest. */}
          <span className={domain.includes('-') ? 'inline-block max-w-full' : undefined}>{domain}</span>
        </>
      )}
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

const drawn = 'before:content-[attr(data-part)]'

/** In characters: fits on any line. */
const SHORT = 20
