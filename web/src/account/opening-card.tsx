import { type ReactNode, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { useFocusOn } from '../ui/use-focus-on.ts'

/** Closes the card; with words it says at its end what was changed. */
type Close = (words?: string) => void

interface OpeningCardProps {
  title: string
  state?: ReactNode
  /** What the button that opens it says. */
  button: ReactNode
  danger?: boolean
  /** What the card shows while it is closed. */
  children?: ReactNode | ((close: Close) => ReactNode)
  opened(close: Close): ReactNode
}

/** A card with one thing to do, which opens in place. The focus comes back to its heading. */
export function OpeningCard({ button, danger = false, children, opened, ...card }: OpeningCardProps) {
  const [isOpen, setOpen] = useState(false)
  const [status, setStatus] = useState<string>()
  const { ref, focus } = useFocusOn<HTMLHeadingElement>()

  function open() {
    setOpen(true)
    setStatus(undefined)
  }

  function close(words?: string) {
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
