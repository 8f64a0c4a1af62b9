import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { useFocusOn } from '../../ui/use-focus-on.ts'
import { useExport } from './use-export.ts'

const DeleteAccount = lazyPart(async () => (await import('./delete-account.tsx')).DeleteAccount)

/** What is kept about the user: to take along, or to have deleted. */
export function YourData() {
  const { download, isBusy, error, status } = useExport()
  const [isOpen, setOpen] = useState(false)
  const { ref, focus } = useFocusOn<HTMLHeadingElement>()
  return (
    <>
      <Card
        title="Download your data"
        status={status}
        action={
          <Button
            look="neutral"
            small
            busy={isBusy ? 'Preparing…' : undefined}
            onClick={() => void download()}
          >
            Download JSON
          </Button>
        }
      >
        <p className="text-14 text-muted">
          Your profile, your sign-in methods, your devices and your activity, in one file. Passwords and other
          secrets are not in it.
        </p>
        <FormError>{error}</FormError>
      </Card>
      <Card
        title="Delete your account"
        danger
        headingRef={ref}
        action={
          !isOpen && (
            <Button look="danger" small onClick={() => setOpen(true)}>
              Delete account
            </Button>
          )
        }
      >
        <p className="text-14 text-muted">
          Your profile, your sign-in methods, your connected accounts and your activity go. You have 14 days
          to change your mind: sign in, and your account stays.
        </p>
        {isOpen && (
          <DeleteAccount
            onCancel={() => {
              setOpen(false)
              focus()
            }}
          />
        )}
      </Card>
    </>
  )
}
