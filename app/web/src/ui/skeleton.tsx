import { layoutTexts } from '../texts/layout.ts'

/** Placeholders of about the final height, to prevent a layout shift. */
export function Skeleton({ heights }: { heights: readonly string[] }) {
  return (
    <div role="status" className="grid gap-6">
      <span className="sr-only">{layoutTexts.loading}…</span>
      {heights.map((height, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <div key={index} className={`animate-wait rounded-card bg-raised ${height}`} />
      ))}
    </div>
  )
}
