import { type ReactNode, useState } from 'react'
import { Card, CardButton, useFocusOn } from '../../ui/card.tsx'
import { useDraft } from './page-memory.ts'

type Close = (words?: string) => void

interface OpeningCardProps {
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

export function OpeningCard({ button, of, field, children, opened, ...card }: OpeningCardProps) {
  const { draft, drop } = useDraft(field)
  const [isOpen, setOpen] = useState(draft !== undefined)
  const [status, setStatus] = useState<string>()
  const heading = useFocusOn<HTMLHeadingElement>()
  const opener = useFocusOn<HTMLButtonElement>()

  function open() {
    setOpen(true)
    setStatus(undefined)
  }

  function close(words?: string) {
    drop()
    setOpen(false)
    setStatus(words)
    if (words === undefined) opener.focus()
    else heading.focus()
  }

  return (
    <Card
      {...card}
      headingRef={heading.ref}
      status={status}
      action={
        !isOpen && (
          <CardButton ref={opener.ref} of={of} onClick={open}>
            {button}
          </CardButton>
        )
      }
    >
      {isOpen ? (
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
