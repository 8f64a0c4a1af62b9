import type { ReactNode } from 'react'
import * as product from '../../../../../app.config.ts'
import { AppMark, StarIcon, TickIcon } from '../../ui/icons.tsx'
import { showcaseTexts as texts } from './texts.ts'

/** A preview drawn with the components of the app. It is inert. */
export function Showcase() {
  return (
    <figure className="overflow-hidden rounded-card border border-line bg-raised">
      <figcaption className="sr-only">{texts.preview}</figcaption>
      <div
        inert
        aria-hidden="true"
        className="grid items-center gap-4 p-4 text-14 select-none sm:grid-cols-[1fr_1.15fr] sm:p-8 md:grid-cols-[1fr_1fr_1.25fr] md:gap-6"
      >
        <SignInCard />
        <CodeCard />
        <RowsCard />
      </div>
    </figure>
  )
}

function SignInCard() {
  return (
    <Card look="max-sm:hidden">
      <p className="flex items-center gap-2 text-16 font-semibold">
        <AppMark />
        {product.name}
      </p>
      <DrawnField label={texts.email}>{texts.address}</DrawnField>
      <DrawnField label={texts.password}>••••••••••••</DrawnField>
      <p className="rounded-field bg-accent py-2 text-center font-medium text-on-accent">{texts.submit}</p>
    </Card>
  )
}

/** The digits appear one by one, then the tick. Static with reduced motion. */
function CodeCard() {
  return (
    <Card look="md:translate-y-6">
      <p className="text-muted">{texts.code}</p>
      <p className="flex justify-between rounded-field border-2 border-accent bg-surface px-4 py-2.5 font-mono text-22 tabular-nums">
        {delays.map((delay, place) => (
          <span key={delay} className={`animate-appear ${delay}`}>
            {texts.digits[place]}
          </span>
        ))}
      </p>
      <p className="flex animate-appear items-center gap-2 font-medium text-done [animation-delay:1600ms]">
        <TickIcon />
        {texts.verified}
      </p>
    </Card>
  )
}

function RowsCard() {
  return (
    <Card look="sm:max-md:col-span-2">
      <p className="text-16 font-semibold">{texts.list}</p>
      <div className="-mx-4 -mb-4 divide-y divide-line border-t border-line">
        {texts.rows.map(({ name, stars }) => (
          <div key={name} className="grid gap-1.5 px-4 py-3">
            <p className="flex items-center justify-between gap-4">
              <span className="font-medium text-accent">{name}</span>
              <span className="shrink-0 text-muted tabular-nums">
                <StarIcon />
                {stars}
              </span>
            </p>
            <span className="h-2 w-4/5 rounded-small bg-raised" />
          </div>
        ))}
      </div>
    </Card>
  )
}

function Card({ look, children }: { look: string; children: ReactNode }) {
  return (
    <div className={`grid gap-3 overflow-hidden rounded-card border border-line bg-surface p-4 ${look}`}>
      {children}
    </div>
  )
}

function DrawnField({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-1">
      <p className="font-medium">{label}</p>
      <p className="truncate rounded-field border border-edge px-3 py-1.5 text-muted">{children}</p>
    </div>
  )
}

// Classes, because the Content Security Policy blocks style attributes.
const delays = [
  '[animation-delay:500ms]',
  '[animation-delay:660ms]',
  '[animation-delay:820ms]',
  '[animation-delay:980ms]',
  '[animation-delay:1140ms]',
  '[animation-delay:1300ms]',
]
