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
  const { ref, focus } = useFocusOn<HTMLHeadingElement>()

  function open() {
    setOpen(true)
    setStatus(undefined)
  }

  function close(words?: string) {
    drop()
    setOpen(false)
    setStatus(words)
    focus()
  }

  return (
    <Card
      {...card}
      headingRef={ref}
      status={status}
      action={
        !isOpen && (
          <CardButton of={of} onClick={open}>
            {button}
          </CardButton>
        )
      }
    >
      {isOpen ? opened(close) : children?.(close)}
    </Card>
  )
}
