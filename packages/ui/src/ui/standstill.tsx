import type { ReactNode } from 'react'
import { PageHeading } from './page.tsx'

interface StandstillProps {
  drawing: ReactNode
  heading: string
  children: ReactNode
  isError?: boolean
  actions: ReactNode
}

/**
 * A page that cannot show its content, and what to do next.
 *
 * @example <Standstill drawing={<EmptyDrawing />} heading="No reports" actions={null}>Yet.</Standstill>
 */
export function Standstill({ drawing, heading, children, isError = false, actions }: StandstillProps) {
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

function Drawing({ accent, children }: { accent: string; children: ReactNode }) {
  return (
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
      {children}
      <path d={accent} className="stroke-accent" strokeWidth="3.5" />
    </svg>
  )
}

export function LostDrawing() {
  return (
    <Drawing accent="M66 34h26l10 11-10 11H66">
      <path d="M60 22v78M46 100h28M54 34H30v22h24M60 22v-4M22 100h6M90 100h12M36 45h10" />
    </Drawing>
  )
}

export function BrokenDrawing() {
  return (
    <Drawing accent="m56 40 5-10m7 14 9-6m-15-2 1-12">
      <path d="M16 92c12 4 20-2 26-8l-8-8 14-14 20 20-14 14-8-8M52 66l8-8M60 74l8-8M104 28c-10-4-18 0-24 6l8 8-14 14M74 56 86 44" />
    </Drawing>
  )
}

/**
 * A drawing for a list without entries.
 *
 * @example <EmptyDrawing />
 */
export function EmptyDrawing() {
  return (
    <Drawing accent="M60 40V20m-9 9 9-9 9 9">
      <path d="M24 58v34l36 14 36-14V58M24 58l36 14 36-14M60 72v34M24 58 14 72l34 13 12-13 12 13 34-13-10-14M24 58l22-8M96 58l-22-8" />
    </Drawing>
  )
}

export function OfflineDrawing() {
  return (
    <Drawing accent="M26 24l68 72">
      <path d="M60 92h.1M46 77a20 20 0 0 1 20-4M34 63a37 37 0 0 1 16-9M22 49a54 54 0 0 1 15-11M52 33a54 54 0 0 1 46 16M68 56a37 37 0 0 1 18 7" />
    </Drawing>
  )
}
