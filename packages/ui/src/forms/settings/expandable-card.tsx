import type { ReactNode } from 'react'
import { Card, CardButton } from '../../ui/card.tsx'
import { useDisclosure } from '../../ui/disclosure.ts'
import { useDraft } from './page-memory.ts'

type Close = (words?: string) => void

interface ExpandableCardProps {
  title: string
  state?: ReactNode
  fact?: ReactNode
  button: string
  /** The thing that the button changes, for screen readers. */
  of?: string
  field?: string
  /** Shown while closed. */
  children?(close: Close): ReactNode
  opened(close: Close): ReactNode
}

export function ExpandableCard({ button, of, field, children, opened, ...card }: ExpandableCardProps) {
  const { draft, drop } = useDraft(field)
  const disclosure = useDisclosure<'open'>(draft === undefined ? undefined : 'open')

  function close(words?: string) {
    drop()
    if (words === undefined) disclosure.cancel()
    else disclosure.close(words)
  }

  return (
    <Card
      {...card}
      headingRef={disclosure.heading.ref}
      status={disclosure.status}
      action={
        !disclosure.asked && (
          <CardButton ref={disclosure.openerOf('open')} of={of} onClick={() => disclosure.ask('open')}>
            {button}
          </CardButton>
        )
      }
    >
      {disclosure.asked ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: Escape means the cancel button inside
        <div
          className="contents"
          onKeyDown={({ key, currentTarget }) => {
            if (key === 'Escape' && !currentTarget.querySelector('[aria-disabled="true"]')) close()
          }}
        >
          {opened(close)}
        </div>
      ) : (
        children?.(close)
      )}
    </Card>
  )
}
