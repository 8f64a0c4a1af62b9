import type { ReactNode } from 'react'

interface RowsProps {
  label?: string
  /** From screen readers: it only keeps a place. */
  isHidden?: boolean
  children: ReactNode
}

/** A bordered list of rows. */
export function Rows({ label, isHidden, children }: RowsProps) {
  return (
    <ul
      aria-label={label}
      aria-hidden={isHidden}
      className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface"
    >
      {children}
    </ul>
  )
}
