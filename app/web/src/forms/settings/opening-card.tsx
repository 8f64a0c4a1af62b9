import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card, useFocusOn } from '../../ui/card.tsx'
import { useDraft } from './page-memory.ts'

/** Closes the card; `words` then say what was changed. */
type Close = (words?: string) => void

interface OpeningCardProps {
  title: string
  state?: ReactNode
  /** What the button that opens it says. */
  button: ReactNode
  danger?: boolean
  /** The field of its form: a draft of it opens the card. */
  field?: string
  /** What the card shows while it is closed. */
  children?: ReactNode | ((close: Close) => ReactNode)
  opened(close: Close): ReactNode
}

/** A card with one action, which opens in place. The focus returns to its heading. */
export function OpeningCard({ button, danger = false, field, children, opened, ...card }: OpeningCardProps) {
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

  const closed = typeof children === 'function' ? children(close) : children
  return (
    <Card
      {...card}
      danger={danger}
      headingRef={ref}
      status={status}
      action={
        !isOpen && (
          <Button look={danger ? 'danger' : 'neutral'} small onClick={open}>
            {button}
          </Button>
        )
      }
    >
      {isOpen ? opened(close) : closed}
    </Card>
  )
}
