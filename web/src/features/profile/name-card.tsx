import { useState } from 'react'
import type { SettingsUse } from '../../account/use-save.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { lazyPart, usePreload } from '../../ui/lazy-part.tsx'
import { useFocusOn } from '../../ui/use-focus-on.ts'

const NameForm = lazyPart(async () => (await import('./name-form.tsx')).NameForm)

interface NameCardProps {
  settings: SettingsUse
  name: string | undefined
}

/** How the app calls the user. */
export function NameCard({ settings, name }: NameCardProps) {
  usePreload(NameForm)
  const [isOpen, setOpen] = useState(false)
  const [status, setStatus] = useState<string>()
  const { ref, focus } = useFocusOn<HTMLHeadingElement>()
  function close(words?: string) {
    setOpen(false)
    setStatus(words)
    focus()
  }
  return (
    <Card
      title="Name"
      headingRef={ref}
      status={status}
      action={
        !isOpen && (
          <Button
            look="neutral"
            small
            onClick={() => {
              setOpen(true)
              setStatus(undefined)
            }}
          >
            {name ? 'Change name' : 'Add your name'}
          </Button>
        )
      }
    >
      {isOpen ? (
        <NameForm settings={settings} onSaved={() => close('Your name is saved.')} onCancel={() => close()} />
      ) : (
        <p className={name ? 'wrap-anywhere' : 'text-muted'}>{name || 'Not set'}</p>
      )}
    </Card>
  )
}
