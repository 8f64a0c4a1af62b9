import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card, useFocusOn } from '../../ui/card.tsx'
import { useDraft } from './page-memory.ts'

type Close = (words?: string) => void

interface OpeningCardProps {
  title: string
  state?: ReactNode
  button: ReactNode
  danger?: boolean
  field?: string
  children?: ReactNode | ((close: Close) => ReactNode)
  opened(close: Close): ReactNode
}

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
