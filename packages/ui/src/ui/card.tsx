import { type ComponentProps, type ReactNode, type Ref, useId } from 'react'
import { layoutTexts } from '../texts/layout.ts'
import { Button } from './button.tsx'
import { Notice } from './page.tsx'
import { slot } from './slot.tsx'

export interface EntryProps {
  icon?: ReactNode
  title: ReactNode
  state?: ReactNode
  /** One line, such as "Changed 3 months ago". */
  fact?: ReactNode
  action?: ReactNode
  /** Opens below. */
  children?: ReactNode
}

/**
 * The content of a row in a list, and of a card.
 *
 * @example <Rows><li><CardEntry title="example.com" fact="Added today" /></li></Rows>
 */
export function CardEntry({ icon, title, state, fact, action, children }: EntryProps) {
  return (
    <div className="grid gap-4 p-4 sm:px-6">
      <div className="flex items-start gap-3">
        {icon && <span className="py-0.5 text-muted">{icon}</span>}
        <div className="flex min-h-9 min-w-0 grow flex-wrap items-center gap-x-4 gap-y-2">
          {/* Beside an icon, a phone has less room for the words before the button. */}
          <div className={`min-w-0 grow ${fact ? (icon ? 'basis-[12rem]' : 'basis-[14rem]') : ''}`}>
            <div className="flex flex-wrap items-center gap-x-3 font-medium">
              <div className="contents">{title}</div> {state}
            </div>
            {fact && <div className="text-14 text-muted">{fact}</div>}
          </div>
          {action}
        </div>
      </div>
      {children}
    </div>
  )
}

export interface CardProps extends Omit<EntryProps, 'icon'> {
  /** A sentence about the change. */
  status?: string | undefined
  headingRef?: Ref<HTMLHeadingElement>
}

/**
 * A section with a heading, one line of facts, and an action.
 *
 * @example <Card title="Reading list" fact="12 links" action={<Button small>Add</Button>} />
 */
export const Card = slot('Card', UsualCard)

function UsualCard({ title, status, headingRef, children, ...entry }: CardProps) {
  const id = useId()
  const heading = (
    <h2 id={id} ref={headingRef} tabIndex={-1} className="text-16 focus:outline-none">
      {title}
    </h2>
  )
  return (
    <section aria-labelledby={id} className="rounded-card border border-line bg-surface">
      <CardEntry {...entry} title={heading}>
        <Notice tone="done">{status}</Notice>
        {children}
      </CardEntry>
    </section>
  )
}

interface CardButtonProps extends ComponentProps<typeof Button> {
  /** For screen readers, which read buttons without their card. */
  of?: string | undefined
}

export function CardButton({ of, children, ...button }: CardButtonProps) {
  return (
    <Button look="neutral" small {...button}>
      <span>
        <span>{children}</span> <span className="sr-only">{of}</span>
      </span>
    </Button>
  )
}

type Tone = 'plain' | 'done' | 'attention'

const tones: Record<Tone, string> = {
  plain: 'bg-raised text-muted',
  done: 'bg-done-tint text-done',
  attention: 'bg-tint text-accent',
}

/**
 * A word next to a title. States are never shown by color alone.
 *
 * @example <Card title="Backup" state={<Badge tone="done">On</Badge>} />
 */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={`rounded-small px-2 text-14 font-medium forced-colors:border ${tones[tone]}`}>
      {children}
    </span>
  )
}

/**
 * Placeholders of the final height prevent a layout shift.
 *
 * @example <Skeleton heights={['h-20', 'h-20']} />
 */
export function Skeleton({ heights }: { heights: readonly string[] }) {
  return (
    <div role="status" className="grid gap-4">
      <span className="sr-only">{`${layoutTexts.loading}…`}</span>
      {heights.map((height, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <div key={index} className={`animate-wait rounded-card bg-raised ${height}`} />
      ))}
    </div>
  )
}

/** The cards or rows of a page before its data arrives. */
export interface Outline {
  readonly lead?: ReactNode
  /** With usual words, which wrap like those of the page. */
  readonly entries: readonly EntryProps[]
  /** The entries are rows of one list. */
  readonly inRows?: boolean
}

/** Takes the space of the entries to come, at any width and size of text. */
export function OutlineSkeleton({
  lead,
  entries,
  inRows = false,
  words = `${layoutTexts.loading}…`,
}: Outline & { words?: string }) {
  const box = 'rounded-card border border-line bg-surface'
  return (
    <div className="needs-scripts grid gap-4">
      <p role="status" className="sr-only">
        {words}
      </p>
      {lead}
      <div aria-hidden="true" className={inRows ? `animate-wait divide-y divide-line ${box}` : 'grid gap-4'}>
        {entries.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <div key={index} className={inRows ? '' : `animate-wait ${box}`}>
            <div className="invisible">
              <CardEntry
                {...entry}
                title={inRows ? entry.title : <h2 className="text-16">{entry.title}</h2>}
              />
            </div>
          </div>
        ))}
      </div>
    </div>
  )
}
