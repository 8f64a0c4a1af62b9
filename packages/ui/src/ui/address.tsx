interface AddressProps {
  children: string
  /** In rows and menus, a long address ends in an ellipsis before its `@`, and is whole while its row has the focus. */
  oneLine?: boolean
  plain?: boolean
}

/**
 * An email address. The whole moves to a line of its own before it breaks, then it breaks before `@`. A part
 * breaks only if it alone is wider than the line.
 */
export function Address({ children, oneLine = false, plain = false }: AddressProps) {
  const at = children.lastIndexOf('@')
  const parts = at > 0 ? [children.slice(0, at), children.slice(at)] : [children]
  const look = oneLine ? rowLook : blockLook
  return (
    <span
      translate="no"
      title={oneLine ? children : undefined}
      className={`${look.whole} ${plain ? '' : 'font-medium text-ink'}`}
    >
      {/* Screen readers would pause between the parts. */}
      <span className="sr-only select-none">{children}</span>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other name
        <span key={index} aria-hidden="true" className={look.parts[index]}>
          {part}
        </span>
      ))}
    </span>
  )
}

const part = 'inline-block max-w-full wrap-anywhere'
const blockLook = { whole: 'relative inline-block max-w-full', parts: [part, part] }

const unfolded = 'in-[:is(a,button,[tabindex="0"]):focus]:whitespace-normal'
const rowLook = {
  whole: 'relative flex max-w-full min-w-0 wrap-anywhere in-[:is(a,button,[tabindex="0"]):focus]:flex-wrap',
  parts: [`min-w-0 truncate ${unfolded}`, `max-w-full shrink-0 truncate ${unfolded}`],
}
