import type { ReactNode } from 'react'
import { PageHeading } from './page.tsx'

interface MessagePageProps {
  drawing: ReactNode
  heading: string
  children: ReactNode
  isError?: boolean
  actions: ReactNode
}

/**
 * A page that cannot show its content, and what to do next.
 *
 * @example <MessagePage drawing={<EmptyDrawing />} heading="No reports" actions={null}>Yet.</MessagePage>
 */
export function MessagePage({ drawing, heading, children, isError = false, actions }: MessagePageProps) {
  return (
    <div className="page-width grid grow place-content-center py-16">
      <div className="grid justify-items-center gap-4 text-center">
        {drawing}
        <PageHeading small>{heading}</PageHeading>
        <p role={isError ? 'alert' : undefined} className="min-h-6 max-w-[48ch] text-balance text-muted">
          {children}
        </p>
        <div className="mt-2 flex flex-wrap justify-center gap-3">{actions}</div>
      </div>
    </div>
  )
}

export const LostDrawing = drawing({
  lines: 'M60 22v78M46 100h28M54 34H30v22h24M60 22v-4M22 100h6M90 100h12M36 45h10',
  accent: 'M66 34h26l10 11-10 11H66',
})

export const BrokenDrawing = drawing({
  lines:
    'M16 92c12 4 20-2 26-8l-8-8 14-14 20 20-14 14-8-8M52 66l8-8M60 74l8-8M104 28c-10-4-18 0-24 6l8 8-14 14M74 56 86 44',
  accent: 'm56 40 5-10m7 14 9-6m-15-2 1-12',
})

/**
 * A drawing for a list without entries.
 *
 * @example <EmptyDrawing />
 */
export const EmptyDrawing = drawing({
  lines:
    'M24 58v34l36 14 36-14V58M24 58l36 14 36-14M60 72v34M24 58 14 72l34 13 12-13 12 13 34-13-10-14M24 58l22-8M96 58l-22-8',
  accent: 'M60 40V20m-9 9 9-9 9 9',
})

export const OfflineDrawing = drawing({
  lines:
    'M60 92h.1M46 77a20 20 0 0 1 20-4M34 63a37 37 0 0 1 16-9M22 49a54 54 0 0 1 15-11M52 33a54 54 0 0 1 46 16M68 56a37 37 0 0 1 18 7',
  accent: 'M26 24l68 72',
})

function drawing({ lines, accent }: Readonly<Record<'lines' | 'accent', string>>) {
  return () => (
    <svg
      viewBox="0 0 120 120"
      className="size-30 text-muted"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={lines} />
      <path d={accent} className="stroke-accent" strokeWidth="3.5" />
    </svg>
  )
}
