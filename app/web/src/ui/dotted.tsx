import type { ReactNode } from 'react'

/** Parts of a line with dots between them. Each stays whole, and no dot stands at the start or end of a line. */
export function Dotted({ parts }: { parts: readonly ReactNode[] }) {
  return (
    // Each part has its dot before it, in a margin that is cut off where a line begins.
    <span className="block [clip-path:inset(-10rem_-100vw_-1rem_0)] rtl:[clip-path:inset(-10rem_0_-1rem_-100vw)]">
      <span className="-ms-4 flex flex-wrap">
        {parts.filter(Boolean).map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other name
          <span key={index} className={item}>
            {part}
          </span>
        ))}
      </span>
    </span>
  )
}

const item = "relative min-w-0 ps-4 wrap-anywhere before:absolute before:start-1.5 before:content-['·'/'']"
