import { entryTexts } from '../texts/entry.ts'

/** Marks the sign-in method that was used last; its button refers to it by `aria-describedby`. */
export function LastUsed() {
  return (
    <span
      id="last-used"
      className="pointer-events-none absolute -top-2 end-3 rounded-small bg-tint px-1.5 text-14 leading-4.5 text-accent forced-colors:border"
    >
      {entryTexts.lastUsed}
    </span>
  )
}
