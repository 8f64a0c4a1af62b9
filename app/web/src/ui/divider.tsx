/** A word on a hairline, between two ways to continue. */
export function Divider({ children }: { children: string }) {
  return (
    <div className="flex items-center gap-3 text-14 text-muted before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
      {children}
    </div>
  )
}
