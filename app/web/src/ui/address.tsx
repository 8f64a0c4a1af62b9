/** An email address in a sentence; a long one breaks where it must. */
export function Address({ children }: { children: string }) {
  return <strong className="font-medium wrap-anywhere text-ink">{children}</strong>
}
